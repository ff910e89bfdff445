/*
 * Decodes maps in lossless mode (spec/09-modes.md#lossless). A map becomes a stdClass if all keys are str and none
 * starts with a NUL byte, else an Entries. Decoder/LosslessMaps.php of the library is the twin.
 */
#include "lossless.h"
#include "encoder.h"
#include "Zend/zend_smart_str.h"

/* A map while it is decoded. */
typedef struct {
	zend_array *properties; /* values by name; once there are entries, only the names, to find duplicates */
	zend_array *entries;    /* NULL as long as the map can become a stdClass */
	zend_array *numbers;    /* int keys, to find duplicates; NULL for none */
	zend_array *others;     /* texts of identity() for all other keys, to find duplicates; NULL for none */
} lossless_map;

void polypack_new_object(zval *to, zend_array *properties)
{
	object_init(to);
	Z_OBJ_P(to)->properties = properties;
}

/* Adds an entry. Takes over the references to key and value. */
static void add_entry(zend_array *entries, zval *key, zval *value)
{
	zval pair;
	array_init_size(&pair, 2);
	zend_hash_real_init_packed(Z_ARRVAL(pair));
	zend_hash_next_index_insert_new(Z_ARRVAL(pair), key);
	zend_hash_next_index_insert_new(Z_ARRVAL(pair), value);
	zend_hash_next_index_insert_new(entries, &pair);
}

/* Makes entries of properties, and moves the values there. The names stay in `properties`, with nulls as values. */
static zend_array *move_to_entries(zend_array *properties)
{
	zend_array *entries = zend_new_array(zend_hash_num_elements(properties));
	zend_string *name;
	zval *value;
	ZEND_HASH_FOREACH_STR_KEY_VAL(properties, name, value) {
		zval key;
		ZVAL_STR_COPY(&key, name);
		add_entry(entries, &key, value);
		ZVAL_NULL(value);
	} ZEND_HASH_FOREACH_END();
	return entries;
}

bool polypack_entries_of(zval *to, zend_array *map)
{
	zend_array *entries = zend_new_array(zend_hash_num_elements(map));
	zend_string *name;
	zend_ulong number;
	zval *value;
	ZEND_HASH_FOREACH_KEY_VAL(map, number, name, value) {
		zval key;
		if (name != NULL) {
			ZVAL_STR_COPY(&key, name);
		} else {
			ZVAL_STR(&key, zend_long_to_str((zend_long) number));
		}
		Z_TRY_ADDREF_P(value);
		add_entry(entries, &key, value);
	} ZEND_HASH_FOREACH_END();
	zend_array_release(map);
	return polypack_new_entries(to, entries);
}

/*
 * Returns a text that is equal for equal keys and different for different keys. Returns NULL for a container, because
 * only the PHP library compares containers (Decoder/Identities.php).
 */
static zend_string *identity(zval *key)
{
	smart_str text = {0};
	const polypack_class *classes = POLYPACK_G(classes);
	switch (Z_TYPE_P(key)) {
		case IS_NULL:
			smart_str_appendc(&text, 'n');
			break;
		case IS_FALSE:
		case IS_TRUE:
			smart_str_appendc(&text, Z_TYPE_P(key) == IS_TRUE ? 'T' : 'F');
			break;
		case IS_DOUBLE: {
			char bytes[POLYPACK_MAX_HEAD];
			smart_str_appendl(&text, bytes, (size_t) (polypack_write_float64(bytes, Z_DVAL_P(key)) - bytes));
			break;
		}
		case IS_OBJECT: {
			zend_object *object = Z_OBJ_P(key);
			const polypack_class *class = classes;
			while (class < classes + POLYPACK_CLASSES && class->entry != object->ce) {
				class++;
			}
			switch ((polypack_class_index) (class - classes)) {
				case POLYPACK_TYPE_BIN:
					smart_str_appendc(&text, 'b');
					smart_str_append(&text, Z_STR_P(POLYPACK_PROPERTY(object, class, 0)));
					break;
				case POLYPACK_TYPE_UINT64:
					smart_str_appendc(&text, 'i');
					smart_str_append(&text, Z_STR_P(POLYPACK_PROPERTY(object, class, 0)));
					break;
				case POLYPACK_TYPE_TIMESTAMP:
					smart_str_appendc(&text, 't');
					smart_str_append_long(&text, Z_LVAL_P(POLYPACK_PROPERTY(object, class, 0)));
					smart_str_appendc(&text, ':');
					smart_str_append_long(&text, Z_LVAL_P(POLYPACK_PROPERTY(object, class, 1)));
					break;
				case POLYPACK_TYPE_EXT:
					smart_str_appendc(&text, 'e');
					smart_str_append_long(&text, Z_LVAL_P(POLYPACK_PROPERTY(object, class, 0)));
					smart_str_appendc(&text, ':');
					smart_str_append(&text, Z_STR_P(POLYPACK_PROPERTY(object, class, 1)));
					break;
				default:
					return NULL;
			}
			break;
		}
		default:
			return NULL;
	}
	return smart_str_extract(&text);
}

/* Adds a key that isn't a str to the keys seen so far. Returns false if the key is a duplicate, or if C can't tell. */
static bool is_new_key(polypack_decoder *decoder, lossless_map *map, zval *key, size_t count)
{
	zval *slot;
	if (count == 1) { /* a single key has no duplicate */
		return true;
	}
	if (Z_TYPE_P(key) == IS_LONG) {
		if (map->numbers == NULL) {
			map->numbers = zend_new_array(0);
		}
		slot = polypack_number_slot(map->numbers, (zend_ulong) Z_LVAL_P(key));
	} else {
		zend_string *text = identity(key);
		if (text == NULL) {
			return false;
		}
		if (map->others == NULL) {
			map->others = zend_new_array(0);
		}
		slot = polypack_name_slot(map->others, text);
	}
	if (Z_TYPE_P(slot) != IS_UNDEF) {
		return false;
	}
	ZVAL_TRUE(slot);
	return true;
}

/* Decodes an entry whose key is a str. */
static bool decode_named(polypack_decoder *decoder, lossless_map *map, size_t owed)
{
	const uint8_t *bytes;
	size_t length;
	if (UNEXPECTED(!polypack_read_str(decoder, &bytes, &length))) {
		return false;
	}
	if (UNEXPECTED(length > 0 && bytes[0] == 0) && map->entries == NULL) {
		map->entries = move_to_entries(map->properties);
	}
	zend_string *name = polypack_key(decoder, bytes, length);
	zval *slot = polypack_name_slot(map->properties, name);
	if (UNEXPECTED(Z_TYPE_P(slot) != IS_UNDEF)) {
		return false;
	}
	if (EXPECTED(map->entries == NULL)) {
		return polypack_decode_value(decoder, slot, owed);
	}
	zval key, value;
	ZVAL_NULL(slot);
	ZVAL_STR_COPY(&key, name);
	bool is_good = polypack_decode_value(decoder, &value, owed);
	add_entry(map->entries, &key, &value);
	return is_good;
}

/* Decodes an entry whose key isn't a str. */
static bool decode_other(polypack_decoder *decoder, lossless_map *map, size_t count, size_t owed)
{
	zval key, value;
	if (map->entries == NULL) {
		map->entries = move_to_entries(map->properties);
	}
	ZVAL_NULL(&value);
	bool is_good = polypack_decode_value(decoder, &key, owed + 1) && is_new_key(decoder, map, &key, count)
		&& polypack_decode_value(decoder, &value, owed);
	add_entry(map->entries, &key, &value);
	return is_good;
}

static bool decode_entries(polypack_decoder *decoder, lossless_map *map, size_t count, size_t owed)
{
	for (size_t left = count; left > 0; left--) {
		if (UNEXPECTED(decoder->p >= decoder->end)) {
			return false;
		}
		size_t owed_after = owed + 2 * (left - 1);
		uint8_t head = *decoder->p;
		bool is_str = (head & 0xe0) == POLYPACK_FIXSTR || (head >= POLYPACK_STR8 && head <= POLYPACK_STR32);
		if (UNEXPECTED(!(is_str ? decode_named(decoder, map, owed_after) : decode_other(decoder, map, count, owed_after)))) {
			return false;
		}
	}
	return true;
}

bool polypack_decode_lossless_map(polypack_decoder *decoder, zval *to, size_t count, size_t owed)
{
	if (count == 0) {
		object_init(to);
		return true;
	}
	size_t taken;
	lossless_map map = {.properties = polypack_new_map(polypack_promise_entries(decoder, count, &taken))};
	bool is_good = decode_entries(decoder, &map, count, owed);
	decoder->promises += taken;
	if (map.entries == NULL) {
		polypack_new_object(to, map.properties);
		return is_good;
	}
	zend_array_release(map.properties);
	if (map.numbers != NULL) {
		zend_array_release(map.numbers);
	}
	if (map.others != NULL) {
		zend_array_release(map.others);
	}
	return polypack_new_entries(to, map.entries) && is_good;
}
