/*
 * Holds the writer's output buffer, and hash tables of the strings, shapes and objects that the writer numbers. When
 * one of them occurs again, the writer writes its number.
 *
 * An attacker may choose strings and keys whose PHP hashes are equal, to make look-ups slow. So strings are hashed with
 * a secret seed. Shapes with keys are hashed by the PHP hashes of these keys at first, which is faster. When the search
 * for a new shape has passed more than MOST_PROBES entries, the writer hashes the bytes of keys with the seed from then
 * on.
 */
#include "writer.h"
#include "classes.h"
#include "../reader.h"

#include "Zend/zend_enum.h"

#define FIRST_PLACES 64
#define MOST_PROBES 32

/* The output */

ZEND_COLD void snapshot_grow(snapshot_writer *writer, size_t length)
{
	size_t used = (size_t) (writer->p - (uint8_t *) ZSTR_VAL(writer->out));
	size_t capacity = 2 * (used + (size_t) (writer->end - writer->p));
	if (capacity - used < length) {
		capacity = zend_safe_addmult(1, used, length, "the output") + SNAPSHOT_MAX_HEAD;
	}
	writer->out = zend_string_realloc(writer->out, capacity, 0);
	writer->p = (uint8_t *) ZSTR_VAL(writer->out) + used;
	writer->end = (uint8_t *) ZSTR_VAL(writer->out) + capacity;
}

/* Hashes */

static zend_always_inline uint64_t folded(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128) a * b;
	return (uint64_t) product ^ (uint64_t) (product >> 64);
#else
	uint64_t product = (a ^ a >> 32) * (b | 1);
	return product ^ product >> 29;
#endif
}

static zend_always_inline uint64_t bytes8(const char *p)
{
	uint64_t n;
	memcpy(&n, p, sizeof(n));
	return n;
}

static zend_always_inline uint64_t bytes4(const char *p)
{
	uint32_t n;
	memcpy(&n, p, sizeof(n));
	return n;
}

/* Hashes a string of at least one byte. */
uint64_t snapshot_hash(const snapshot_writer *writer, const zend_string *string)
{
	const char *p = ZSTR_VAL(string);
	size_t length = ZSTR_LEN(string);
	uint64_t hash = writer->seed ^ length;
	if (length >= 8) {
		for (; length > 8; length -= 8, p += 8) {
			hash = folded(hash ^ bytes8(p), UINT64_C(0x9e3779b97f4a7c15));
		}
		return folded(hash ^ bytes8(p + length - 8), UINT64_C(0xd6e8feb86659fd93));
	}
	uint64_t rest = length >= 4
		? bytes4(p) << 32 | bytes4(p + length - 4)
		: (uint64_t) (uint8_t) p[0] << 16 | (uint64_t) (uint8_t) p[length >> 1] << 8 | (uint8_t) p[length - 1];
	return folded(hash ^ rest, UINT64_C(0xd6e8feb86659fd93));
}

/* Strings */

static void grow_names(snapshot_writer *writer)
{
	uint32_t size = writer->names == NULL ? FIRST_PLACES : 2 * (writer->names_mask + 1);
	snapshot_name *names = ecalloc(size, sizeof(*names));
	for (uint32_t i = 0; writer->names != NULL && i <= writer->names_mask; i++) {
		if (writer->names[i].string != NULL) {
			uint32_t place = writer->names[i].hash & (size - 1);
			while (names[place].string != NULL) {
				place = (place + 1) & (size - 1);
			}
			names[place] = writer->names[i];
		}
	}
	if (writer->names != NULL) {
		efree(writer->names);
	}
	writer->names = names;
	writer->names_mask = size - 1;
}

/*
 * If the string has a number, writes the number and returns true. Otherwise gives the string the next number and
 * returns false.
 */
static zend_always_inline bool write_number(snapshot_writer *writer, zend_string *string)
{
	if (UNEXPECTED(2 * writer->names_count >= writer->names_mask)) {
		grow_names(writer);
	}
	uint32_t hash = (uint32_t) snapshot_hash(writer, string);
	uint32_t place = hash & writer->names_mask;
	snapshot_name *name;
	for (; (name = &writer->names[place])->string != NULL; place = (place + 1) & writer->names_mask) {
		if (name->hash == hash && (name->string == string || (ZSTR_LEN(name->string) == ZSTR_LEN(string)
			&& polypack_equal(ZSTR_VAL(name->string), ZSTR_VAL(string), ZSTR_LEN(string))))) {
			uint32_t number = name->number;
			snapshot_reserve(writer, SNAPSHOT_MAX_HEAD);
			if (number < 48) {
				*writer->p++ = (uint8_t) (SNAPSHOT_EARLIER + number);
			} else if (number < 304) {
				*writer->p++ = SNAPSHOT_EARLIER8;
				*writer->p++ = (uint8_t) (number - 48);
			} else {
				*writer->p++ = SNAPSHOT_ANY_EARLIER;
				writer->p = snapshot_put_count(writer->p, number - 304);
			}
			return true;
		}
	}
	name->string = string;
	name->hash = hash;
	name->number = writer->names_count++;
	return false;
}

bool snapshot_write_string(snapshot_writer *writer, zend_string *string)
{
	size_t length = ZSTR_LEN(string);
	if (length > SNAPSHOT_LONGEST) {
		if (UNEXPECTED(length > UINT32_MAX)) {
			return false;
		}
		snapshot_reserve(writer, length + SNAPSHOT_MAX_HEAD);
		*writer->p++ = SNAPSHOT_LONG_STRING;
		writer->p = snapshot_put_count(writer->p, length);
	} else {
		if (length >= SNAPSHOT_SHORTEST && write_number(writer, string)) {
			return true;
		}
		snapshot_reserve(writer, length + SNAPSHOT_MAX_HEAD);
		if (length < 32) {
			*writer->p++ = (uint8_t) (SNAPSHOT_STRING + length);
		} else {
			*writer->p++ = SNAPSHOT_STRING8;
			*writer->p++ = (uint8_t) length;
		}
	}
	memcpy(writer->p, ZSTR_VAL(string), length);
	writer->p += length;
	return true;
}

/* Shapes */

static uint32_t hash_keys(const snapshot_writer *writer, const Bucket *keys, uint32_t count)
{
	uint64_t hash = writer->seed ^ count;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t of_key = UNEXPECTED(writer->hashes_contents) && ZSTR_LEN(keys[i].key) > 0
			? snapshot_hash(writer, keys[i].key)
			: keys[i].h;
		hash = (hash << 7 | hash >> 57) ^ of_key;
		hash *= UINT64_C(0x9e3779b97f4a7c15);
	}
	return (uint32_t) (hash >> 32);
}

static uint32_t hash_pointer(const snapshot_writer *writer, const void *pointer)
{
	return (uint32_t) (folded(writer->seed ^ (uintptr_t) pointer, UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

static void place_shapes(snapshot_writer *writer, uint32_t size)
{
	if (writer->shape_places != NULL) {
		efree(writer->shape_places);
	}
	writer->shape_places = ecalloc(size, sizeof(*writer->shape_places));
	writer->shape_mask = size - 1;
	for (uint32_t i = 0; i < writer->shapes_count; i++) {
		uint32_t place = writer->shapes[i].hash & writer->shape_mask;
		while (writer->shape_places[place] != 0) {
			place = (place + 1) & writer->shape_mask;
		}
		writer->shape_places[place] = i + 1;
	}
}

static ZEND_COLD void hash_contents(snapshot_writer *writer)
{
	writer->hashes_contents = true;
	for (uint32_t i = 0; i < writer->shapes_count; i++) {
		snapshot_shape *shape = &writer->shapes[i];
		if (shape->keys != NULL) {
			shape->hash = hash_keys(writer, shape->keys, shape->count);
		}
	}
	place_shapes(writer, writer->shape_mask + 1);
}

static bool equal_keys(const Bucket *one, const Bucket *other, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (one[i].key != other[i].key && (one[i].h != other[i].h || !zend_string_equal_content(one[i].key, other[i].key))) {
			return false;
		}
	}
	return true;
}

/*
 * Returns the entry of a shape, and adds one if the shape is new. In a new entry, keys, class and enum_case are NULL
 * until the caller sets them.
 */
static snapshot_shape *find_shape(snapshot_writer *writer, const zend_class_entry *class, const Bucket *keys, uint32_t count, uint32_t layout, const zend_object *enum_case)
{
	if (UNEXPECTED(2 * writer->shapes_count >= writer->shape_mask)) {
		if (writer->shapes_count >= writer->shapes_size) {
			writer->shapes_size = writer->shapes_size == 0 ? FIRST_PLACES / 2 : 2 * writer->shapes_size;
			writer->shapes = safe_erealloc(writer->shapes, writer->shapes_size, sizeof(*writer->shapes), 0);
		}
		place_shapes(writer, 2 * writer->shapes_size);
	}
	for (;;) {
		uint32_t hash = keys != NULL ? hash_keys(writer, keys, count) : hash_pointer(writer, enum_case != NULL ? (const void *) enum_case : class);
		uint32_t place = hash & writer->shape_mask;
		uint32_t probes = 0;
		for (; writer->shape_places[place] != 0; place = (place + 1) & writer->shape_mask, probes++) {
			snapshot_shape *shape = &writer->shapes[writer->shape_places[place] - 1];
			if (shape->hash == hash && shape->count == count && shape->layout == layout && shape->enum_case == enum_case && shape->class == class
				&& (keys == NULL ? shape->keys == NULL : shape->keys != NULL && equal_keys(shape->keys, keys, count))) {
				return shape;
			}
		}
		if (UNEXPECTED(probes > MOST_PROBES) && !writer->hashes_contents) {
			hash_contents(writer);
			continue;
		}
		snapshot_shape *shape = &writer->shapes[writer->shapes_count++];
		writer->shape_places[place] = writer->shapes_count;
		memset(shape, 0, sizeof(*shape));
		shape->hash = hash;
		shape->count = count;
		shape->layout = layout;
		return shape;
	}
}

static void write_shape_number(snapshot_writer *writer, uint32_t number)
{
	if (number < 32) {
		snapshot_put_byte(writer, (uint8_t) (SNAPSHOT_SHAPE + number));
	} else {
		snapshot_put_head(writer, SNAPSHOT_ANY_SHAPE, number - 32);
	}
}

bool snapshot_write_array_shape(snapshot_writer *writer, const Bucket *keys, uint32_t count, uint32_t *number)
{
	snapshot_shape *shape = find_shape(writer, NULL, keys, count, 0, NULL);
	*number = (uint32_t) (shape - writer->shapes);
	if (shape->keys != NULL) {
		write_shape_number(writer, *number);
		return true;
	}
	shape->keys = keys;
	snapshot_reserve(writer, 2);
	*writer->p++ = SNAPSHOT_NEW_ARRAY;
	*writer->p++ = (uint8_t) count;
	for (uint32_t i = 0; i < count; i++) {
		if (UNEXPECTED(!snapshot_write_string(writer, keys[i].key))) {
			return false;
		}
	}
	return true;
}

/* Takes over a reference to a string. snapshot_free_names() releases it. */
zend_string *snapshot_keep_string(snapshot_writer *writer, zend_string *string)
{
	if (writer->strings_count == writer->strings_size) {
		writer->strings_size = writer->strings_size == 0 ? 16 : 2 * writer->strings_size;
		writer->strings = safe_erealloc(writer->strings, writer->strings_size, sizeof(*writer->strings), 0);
	}
	writer->strings[writer->strings_count++] = string;
	return string;
}

/*
 * Returns the names that the declared properties of a class have in a snapshot. Caches the names of the latest class.
 */
zend_string **snapshot_wire_names(snapshot_writer *writer, const zend_class_entry *class)
{
	if (writer->wire_class != class) {
		writer->wire_class = class;
		writer->wire_names = safe_erealloc(writer->wire_names, class->default_properties_count + 1, sizeof(*writer->wire_names), 0);
		for (int i = 0; i < class->default_properties_count; i++) {
			writer->wire_names[i] = snapshot_keep_string(writer, snapshot_property_name(class, class->properties_info_table[i]));
		}
	}
	return writer->wire_names;
}

bool snapshot_write_object_shape(snapshot_writer *writer, const zend_class_entry *class, const snapshot_properties *properties, uint32_t *number)
{
	uint32_t count = properties->values.count + properties->absent;
	const Bucket *keys = count > 0 ? properties->names : NULL;
	uint32_t layout = (uint32_t) SNAPSHOT_NEW_OBJECT << 24 | (uint32_t) properties->absent << 16 | (uint32_t) properties->declared << 8 | properties->flags;
	snapshot_shape *shape = find_shape(writer, class, keys, count, layout, NULL);
	*number = (uint32_t) (shape - writer->shapes);
	if (shape->class != NULL) {
		write_shape_number(writer, *number);
		return true;
	}
	shape->class = class;
	shape->keys = keys;
	snapshot_put_byte(writer, SNAPSHOT_NEW_OBJECT);
	if (UNEXPECTED(!snapshot_write_string(writer, class->name))) {
		return false;
	}
	snapshot_reserve(writer, 4);
	*writer->p++ = properties->flags;
	*writer->p++ = (uint8_t) properties->values.count;
	*writer->p++ = properties->declared;
	*writer->p++ = properties->absent;
	zend_string **names = keys == NULL ? snapshot_wire_names(writer, class) : NULL;
	for (uint32_t i = 0; i < count; i++) {
		if (UNEXPECTED(!snapshot_write_string(writer, keys != NULL ? keys[i].key : names[i]))) {
			return false;
		}
	}
	return true;
}

/* Writes the shape of objects with data: an array from __serialize(), or a string from Serializable::serialize(). */
bool snapshot_write_data_shape(snapshot_writer *writer, const zend_class_entry *class, uint8_t head)
{
	snapshot_shape *shape = find_shape(writer, class, NULL, 0, (uint32_t) head << 24, NULL);
	if (shape->class != NULL) {
		write_shape_number(writer, (uint32_t) (shape - writer->shapes));
		return true;
	}
	shape->class = class;
	snapshot_put_byte(writer, head);
	if (UNEXPECTED(!snapshot_write_string(writer, class->name))) {
		return false;
	}
	if (head == SNAPSHOT_NEW_DATA) {
		snapshot_put_byte(writer, 0); /* flags */
	}
	return true;
}

/* Objects */

bool snapshot_is_plain(snapshot_writer *writer, zend_object *object)
{
	if (UNEXPECTED(object->ce != writer->plain_class)) {
		if (!snapshot_is_plain_class(object->ce)) {
			return false;
		}
		writer->plain_class = object->ce;
	}
	return snapshot_is_plain_object(object);
}

snapshot_numbered *snapshot_numbered_object(snapshot_writer *writer, zend_object *object)
{
	if (UNEXPECTED(2 * writer->objects_count >= writer->objects_mask)) {
		uint32_t size = writer->objects == NULL ? FIRST_PLACES : 2 * (writer->objects_mask + 1);
		snapshot_numbered *before = writer->objects, *after = ecalloc(size, sizeof(*after));
		for (uint32_t i = 0; before != NULL && i <= writer->objects_mask; i++) {
			if (before[i].object != NULL) {
				uint32_t place = before[i].object->handle & (size - 1);
				while (after[place].object != NULL) {
					place = (place + 1) & (size - 1);
				}
				after[place] = before[i];
			}
		}
		if (before != NULL) {
			efree(before);
		}
		writer->objects = after;
		writer->objects_mask = size - 1;
	}
	uint32_t place = object->handle & writer->objects_mask;
	while (writer->objects[place].object != NULL && writer->objects[place].object != object) {
		place = (place + 1) & writer->objects_mask;
	}
	if (writer->objects[place].object == NULL) {
		writer->objects[place].object = object;
		writer->objects_count++;
	}
	return &writer->objects[place];
}

bool snapshot_write_case(snapshot_writer *writer, const zend_object *object)
{
	snapshot_shape *shape = find_shape(writer, NULL, NULL, 0, 0, object);
	if (shape->enum_case != NULL) {
		write_shape_number(writer, (uint32_t) (shape - writer->shapes));
		return true;
	}
	shape->enum_case = object;
	snapshot_put_byte(writer, SNAPSHOT_NEW_CASE);
	return snapshot_write_string(writer, object->ce->name)
		&& snapshot_write_string(writer, Z_STR_P(zend_enum_fetch_case_name((zend_object *) object)));
}

/* Kept arrays */

/* Takes over a reference to an array. snapshot_free_names() releases it. */
zend_array *snapshot_keep_array(snapshot_writer *writer, zend_array *array)
{
	if (writer->kept_count == writer->kept_size) {
		writer->kept_size = writer->kept_size == 0 ? 8 : 2 * writer->kept_size;
		writer->kept = safe_erealloc(writer->kept, writer->kept_size, sizeof(*writer->kept), 0);
	}
	writer->kept[writer->kept_count++] = array;
	return array;
}

/* Returns a copy of an array, without holes from removed elements. snapshot_free_names() releases the copy. */
zend_array *snapshot_without_holes(snapshot_writer *writer, zend_array *array)
{
	zend_array *copy = zend_new_array(zend_hash_num_elements(array));
	zend_string *name;
	zend_ulong number;
	zval *value;
	zend_hash_real_init_mixed(copy);
	ZEND_HASH_FOREACH_KEY_VAL(array, number, name, value) {
		Z_TRY_ADDREF_P(value);
		if (name != NULL) {
			zend_hash_add_new(copy, name, value);
		} else {
			zend_hash_index_add_new(copy, number, value);
		}
	} ZEND_HASH_FOREACH_END();
	return snapshot_keep_array(writer, copy);
}

void snapshot_free_names(snapshot_writer *writer)
{
	if (writer->names != NULL) {
		efree(writer->names);
	}
	for (uint32_t i = 0; i < writer->shapes_count; i++) {
		if (writer->shapes[i].latest != NULL) {
			efree(writer->shapes[i].latest);
		}
	}
	if (writer->shapes != NULL) {
		efree(writer->shapes);
		efree(writer->shape_places);
	}
	snapshot_free_graph(writer);
	if (writer->wire_names != NULL) {
		efree(writer->wire_names);
	}
	for (uint32_t i = 0; i < writer->strings_count; i++) {
		zend_string_release(writer->strings[i]);
	}
	if (writer->strings != NULL) {
		efree(writer->strings);
	}
	for (uint32_t i = 0; i < writer->kept_count; i++) {
		if ((GC_FLAGS(writer->kept[i]) & GC_IMMUTABLE) == 0) {
			zval kept;
			ZVAL_ARR(&kept, writer->kept[i]);
			zval_ptr_dtor(&kept); /* notes the array for the garbage collector, because it may be in a cycle */
		}
	}
	if (writer->kept != NULL) {
		efree(writer->kept);
	}
}
