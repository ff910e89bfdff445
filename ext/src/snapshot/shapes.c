/*
 * Reads shapes: the keys of arrays, the classes of objects with the names of their properties, and cases of enums.
 * php/src/Snapshot/ShapeReader.php is the twin.
 */
#include "reader.h"
#include "../decoder.h"

#include "Zend/zend_enum.h"

/* Up to this many names are compared in pairs to find duplicates; more are put into a hash table. */
#define FEW_NAMES 16

/* Arrays */

/*
 * Returns an equal string, from the request's cache of keys if possible. The first POLYPACK_INTERNED_KEYS strings that
 * enter this cache are interned, so they need no reference counting. Takes over the reference to `text`.
 */
static zend_string *kept_name(zend_string *text)
{
	if (ZSTR_IS_INTERNED(text)) {
		return text;
	}
	zend_string *name = polypack_kept_key((const uint8_t *) ZSTR_VAL(text), ZSTR_LEN(text));
	zend_string_release(text);
	return name;
}

/* Adds a name with a null value to a row. Takes over the reference. Returns false if the row already has the name. */
static bool add_name(snapshot_read_shape *shape, zend_string *name)
{
	shape->counts_keys = shape->counts_keys || !ZSTR_IS_INTERNED(name);
	zval *slot = polypack_name_slot(shape->row, name);
	if (UNEXPECTED(!Z_ISUNDEF_P(slot))) {
		return false;
	}
	ZVAL_NULL(slot);
	return true;
}

/*
 * Reads a key of an array. If the key gets a number, reader->strings holds the string from kept_name() under this
 * number. So later occurrences of the key need no look-up in the cache.
 */
static zend_string *read_name(snapshot_reader *reader)
{
	uint32_t number = reader->strings_count;
	zend_string *text = snapshot_read_text(reader);
	if (UNEXPECTED(text == NULL)) {
		return NULL;
	}
	bool is_new = number < reader->strings_count;
	if (!is_new && ZSTR_LEN(text) >= SNAPSHOT_SHORTEST) {
		return text;
	}
	zend_string *name = kept_name(text);
	if (is_new) {
		zend_string_release(reader->strings[number]);
		reader->strings[number] = zend_string_copy(name);
	}
	return name;
}

static void begin_row(snapshot_read_shape *shape)
{
	shape->row = zend_new_array(shape->count);
	zend_hash_real_init_mixed(shape->row);
}

static ZEND_COLD zend_ulong cost_of_row(const snapshot_read_shape *shape)
{
	zend_string **names = safe_emalloc(shape->count, sizeof(*names), 0), *name;
	uint32_t count = 0;
	ZEND_HASH_FOREACH_STR_KEY(shape->row, name) {
		names[count++] = name;
	} ZEND_HASH_FOREACH_END();
	zend_ulong cost = snapshot_cost_of_names(names, count);
	efree(names);
	return cost;
}

static bool read_array_shape(snapshot_reader *reader, snapshot_read_shape *shape)
{
	zend_ulong number;
	if (UNEXPECTED(reader->p == reader->end)) {
		return false;
	}
	shape->count = *reader->p++;
	if (UNEXPECTED(shape->count == 0) || UNEXPECTED(shape->count > SNAPSHOT_MOST_KEYS)) {
		return false;
	}
	begin_row(shape);
	size_t bytes = 0;
	for (uint32_t i = 0; i < shape->count; i++) {
		zend_string *name = read_name(reader);
		if (UNEXPECTED(name == NULL)) {
			return false;
		}
		bytes += ZSTR_LEN(name);
		if (UNEXPECTED(ZEND_HANDLE_NUMERIC_STR(ZSTR_VAL(name), ZSTR_LEN(name), number))) {
			zend_string_release(name);
			return false;
		}
		if (UNEXPECTED(!add_name(shape, name))) {
			return false;
		}
	}
	if (UNEXPECTED(bytes > SNAPSHOT_LONG_NAMES)) {
		shape->cost = cost_of_row(shape);
	}
	return true;
}

/* Objects with properties */

static void free_names(zend_string **names, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		zend_string_release(names[i]);
	}
	efree(names);
}

/* Reads `count` names. Returns NULL if one is faulty. */
static zend_string **read_names(snapshot_reader *reader, uint32_t count)
{
	zend_string **names = safe_emalloc(count, sizeof(*names), sizeof(*names));
	for (uint32_t i = 0; i < count; i++) {
		names[i] = snapshot_read_text(reader);
		if (UNEXPECTED(names[i] == NULL)) {
			free_names(names, i);
			return NULL;
		}
	}
	return names;
}

static bool are_different(zend_string **names, uint32_t count)
{
	if (count <= FEW_NAMES) {
		for (uint32_t i = 1; i < count; i++) {
			for (uint32_t j = 0; j < i; j++) {
				if (UNEXPECTED(zend_string_equals(names[i], names[j]))) {
					return false;
				}
			}
		}
		return true;
	}
	HashTable seen;
	bool is_good = true;
	zend_hash_init(&seen, count, NULL, NULL, 0);
	for (uint32_t i = 0; i < count && is_good; i++) {
		is_good = zend_hash_add_empty_element(&seen, names[i]) != NULL;
	}
	zend_hash_destroy(&seen);
	return is_good;
}

/*
 * Makes the row for a stdClass, or for the array that __unserialize() gets. Returns false if a stdClass would get an
 * empty name or a name that begins with NUL. Also returns false if PHP would turn a name in the array into an int.
 */
static bool make_row(snapshot_read_shape *shape, zend_string **names)
{
	zend_ulong number;
	if (shape->count == 0) {
		return true;
	}
	begin_row(shape);
	for (uint32_t i = 0; i < shape->count; i++) {
		bool is_good = shape->plan == NULL
			? ZSTR_LEN(names[i]) > 0 && ZSTR_VAL(names[i])[0] != '\0'
			: !ZEND_HANDLE_NUMERIC_STR(ZSTR_VAL(names[i]), ZSTR_LEN(names[i]), number);
		if (UNEXPECTED(!is_good) || UNEXPECTED(!add_name(shape, kept_name(zend_string_copy(names[i]))))) {
			return false;
		}
	}
	return true;
}

/* Decides whether objects of a shape are made from a row or property by property. Returns false to decline. */
static bool plan_shape(snapshot_reader *reader, snapshot_read_shape *shape, zend_class_entry *class, zend_string **names,
	uint32_t declared, uint32_t absent, bool is_chosen)
{
	if (class == zend_standard_class_def) {
		return make_row(shape, names);
	}
	shape->plan = snapshot_plan_properties(class, names, shape->count, declared, absent, is_chosen);
	return shape->plan != NULL && (!shape->plan->takes_data || make_row(shape, names));
}

static bool read_object_shape(snapshot_reader *reader, snapshot_read_shape *shape, zend_string *written, uint32_t depth)
{
	if (UNEXPECTED(snapshot_left(reader) < 4)) {
		return false;
	}
	uint32_t flags = reader->p[0], declared = reader->p[2], absent = reader->p[3];
	shape->count = reader->p[1];
	reader->p += 4;
	if (UNEXPECTED(flags > SNAPSHOT_CHOSEN) || UNEXPECTED(declared > shape->count)) {
		return false;
	}
	zend_string **names = read_names(reader, shape->count + absent);
	if (UNEXPECTED(names == NULL)) {
		return false;
	}
	bool is_good = false;
	shape->cost = snapshot_cost_of_names(names, shape->count);
	if (EXPECTED(are_different(names, shape->count + absent))) {
		zend_class_entry *class = snapshot_find_class(reader, written, depth);
		is_good = class != NULL && plan_shape(reader, shape, class, names, declared, absent, flags == SNAPSHOT_CHOSEN);
	}
	if (is_good && UNEXPECTED(shape->plan != NULL) && UNEXPECTED(shape->plan->has_dynamic)) {
		for (uint32_t i = shape->count; i < shape->count + absent; i++) {
			zend_string_release(names[i]);
		}
		shape->names = names;
	} else {
		free_names(names, shape->count + absent);
	}
	return is_good;
}

/* Other objects */

static bool read_data_shape(snapshot_reader *reader, snapshot_read_shape *shape, zend_string *written, uint32_t depth)
{
	uint8_t flags = 0;
	if (shape->head == SNAPSHOT_NEW_DATA) {
		if (UNEXPECTED(reader->p == reader->end) || UNEXPECTED(*reader->p > SNAPSHOT_PROPERTIES)) {
			return false;
		}
		flags = *reader->p++;
	}
	if (UNEXPECTED(shape->head == SNAPSHOT_NEW_LEGACY) && UNEXPECTED(!reader->policy.allows_all)) {
		return false; /* only the PHP library can limit which classes unserialize() makes (AllowedClasses.php) */
	}
	zend_class_entry *class = snapshot_find_class(reader, written, depth);
	shape->plan = class == NULL ? NULL : snapshot_plan_data(class, shape->head, flags);
	return shape->plan != NULL;
}

static bool read_case_shape(snapshot_reader *reader, snapshot_read_shape *shape, zend_string *written, uint32_t depth)
{
	zend_string *name = snapshot_read_text(reader);
	if (UNEXPECTED(name == NULL)) {
		return false;
	}
	zend_class_entry *class = snapshot_find_class(reader, written, depth);
	if (EXPECTED(class != NULL) && EXPECTED((class->ce_flags & ZEND_ACC_ENUM) != 0)) {
		zend_class_constant *constant = zend_hash_find_ptr(CE_CONSTANTS_TABLE(class), name);
		if (EXPECTED(constant != NULL) && EXPECTED((ZEND_CLASS_CONST_FLAGS(constant) & ZEND_CLASS_CONST_IS_CASE) != 0)
			&& (Z_TYPE(constant->value) != IS_CONSTANT_AST || zval_update_constant_ex(&constant->value, constant->ce) == SUCCESS)) {
			shape->enum_case = Z_OBJ(constant->value);
		}
	}
	zend_string_release(name);
	return shape->enum_case != NULL;
}

static bool read_shape(snapshot_reader *reader, snapshot_read_shape *shape, uint32_t depth)
{
	if (EXPECTED(shape->head == SNAPSHOT_NEW_ARRAY)) {
		return read_array_shape(reader, shape);
	}
	zend_string *written = snapshot_read_text(reader);
	if (UNEXPECTED(written == NULL)) {
		return false;
	}
	bool is_good;
	switch (shape->head) {
		case SNAPSHOT_NEW_OBJECT:
			is_good = read_object_shape(reader, shape, written, depth);
			break;
		case SNAPSHOT_NEW_CASE:
			is_good = read_case_shape(reader, shape, written, depth);
			break;
		default:
			is_good = read_data_shape(reader, shape, written, depth);
	}
	zend_string_release(written);
	return is_good;
}

void snapshot_free_shape(snapshot_read_shape *shape)
{
	if (shape->latest != NULL) {
		for (uint32_t place = 0; place < shape->count; place++) {
			if (shape->latest[place] != NULL) {
				zend_array_release(shape->latest[place]);
			}
		}
		efree(shape->latest);
	}
	if (shape->row != NULL) {
		zend_array_release(shape->row);
	}
	if (shape->names != NULL) {
		free_names(shape->names, shape->count);
	}
	if (shape->plan != NULL) {
		efree(shape->plan);
	}
	efree(shape);
}

bool snapshot_read_new_shape(snapshot_reader *reader, uint8_t head, uint32_t depth)
{
	snapshot_read_shape *shape = ecalloc(1, sizeof(*shape));
	shape->head = head;
	if (UNEXPECTED(!read_shape(reader, shape, depth))) {
		snapshot_free_shape(shape);
		return false;
	}
	if (reader->shapes_count == reader->shapes_size) {
		reader->shapes_size = reader->shapes_size == 0 ? 8 : 2 * reader->shapes_size;
		reader->shapes = safe_erealloc(reader->shapes, reader->shapes_size, sizeof(*reader->shapes), 0);
	}
	reader->shapes[reader->shapes_count++] = shape;
	return true;
}
