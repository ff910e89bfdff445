/* Reads the keys of maps. A hostile sender may choose many keys with the same hash, so comparisons are limited. */
#include "reader.h"
#include "../decoder.h"

/* The bits of a PHP hash that count_comparisons() uses. They suffice for an array of 2^30 entries. */
#define HASH_BITS 0x7fffffff

/*
 * Returns how many key comparisons it costs to put the keys into a PHP array (spec/06-limits.md#collisions). Assumes
 * that the array has capacity for 8 entries at first, and doubles the capacity whenever it is full. The number of
 * buckets is always twice the capacity. php/src/Decoder/Buckets.php counts the same. If `are_long` is true, each
 * comparison of a key counts once more per full 64 bytes of the key.
 */
static zend_ulong count_comparisons(const zval *keys, uint32_t count, bool are_long)
{
	uint32_t capacity = 8;
	while (capacity < count) {
		capacity *= 2;
	}
	uint32_t *shares = safe_emalloc(2 * (size_t) capacity, sizeof(*shares), 0);
	uint32_t *hashes = safe_emalloc(count, sizeof(*hashes), 0);
	zend_ulong comparisons = 0;
	capacity = 8;
	memset(shares, 0, 2 * capacity * sizeof(*shares));
	for (uint32_t i = 0; i < count; i++) {
		if (i == capacity) {
			capacity *= 2;
			memset(shares, 0, 2 * (size_t) capacity * sizeof(*shares));
			for (uint32_t j = 0; j < i; j++) {
				shares[hashes[j] & (2 * capacity - 1)]++;
			}
		}
		zend_ulong hash = Z_TYPE(keys[i]) == IS_LONG ? (zend_ulong) Z_LVAL(keys[i]) : zend_string_hash_val(Z_STR(keys[i]));
		hashes[i] = (uint32_t) (hash & HASH_BITS);
		zend_ulong weight = UNEXPECTED(are_long) ? 1 + (Z_STRLEN(keys[i]) >> 6) : 1;
		comparisons += weight * shares[hashes[i] & (2 * capacity - 1)]++;
	}
	efree(hashes);
	efree(shares);
	return comparisons;
}

zend_ulong snapshot_cost_of_names(zend_string **names, uint32_t count)
{
	size_t bytes = 0;
	for (uint32_t i = 0; i < count; i++) {
		bytes += ZSTR_LEN(names[i]);
	}
	if (EXPECTED(bytes <= SNAPSHOT_LONG_NAMES)) {
		return 0;
	}
	zval *keys = safe_emalloc(count, sizeof(zval), 0);
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_STR(&keys[i], names[i]);
	}
	zend_ulong cost = count_comparisons(keys, count, true);
	efree(keys);
	return cost;
}

/* Tells whether a value with this head is an int or a string. */
static bool is_key(uint8_t head)
{
	return head < SNAPSHOT_SHAPE || (head >= SNAPSHOT_EARLIER && head < SNAPSHOT_NIL) || (head >= SNAPSHOT_INT8 && head <= SNAPSHOT_INT64)
		|| (head >= SNAPSHOT_STRING8 && head <= SNAPSHOT_ANY_EARLIER) || head >= SNAPSHOT_NEGATIVE;
}

/* Reads keys one after the other. Returns how many it has read: fewer than `count` if one is faulty. */
static uint32_t read_mixed(snapshot_reader *reader, zval *keys, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (UNEXPECTED(reader->p == reader->end) || UNEXPECTED(!is_key(*reader->p)) || UNEXPECTED(!snapshot_read_value(reader, &keys[i], 0, 0))) {
			return i;
		}
	}
	return count;
}

/* Adds a key with a null value. Returns false if the map has an equal key, or if PHP would turn the key into an int. */
static bool add_key(zend_array *map, const zval *key)
{
	zval null;
	zend_ulong number;
	ZVAL_NULL(&null);
	if (Z_TYPE_P(key) == IS_LONG) {
		return zend_hash_index_add(map, (zend_ulong) Z_LVAL_P(key), &null) != NULL;
	}
	return !ZEND_HANDLE_NUMERIC_STR(Z_STRVAL_P(key), Z_STRLEN_P(key), number) && zend_hash_add(map, Z_STR_P(key), &null) != NULL;
}

static zend_array *map_of(snapshot_reader *reader, const zval *keys, uint32_t count)
{
	if (count > POLYPACK_FREE_ENTRIES && UNEXPECTED(!snapshot_pay(reader, count_comparisons(keys, count, false), 1))) {
		return NULL;
	}
	zend_array *map = zend_new_array(count);
	zend_hash_real_init_mixed(map);
	for (uint32_t i = 0; i < count; i++) {
		if (UNEXPECTED(!add_key(map, &keys[i]))) {
			zend_array_destroy(map);
			return NULL;
		}
	}
	return map;
}

zend_array *snapshot_read_keys(snapshot_reader *reader, uint32_t count)
{
	snapshot_cells cells;
	zend_array *map = NULL;
	uint32_t there = 0;
	zval *keys = NULL;
	if (EXPECTED(snapshot_read_key_column(reader, &cells, count))) {
		bool is_mixed = cells.kind == SNAPSHOT_MIXED;
		if (!is_mixed || EXPECTED(count <= snapshot_left(reader))) {
			keys = safe_emalloc(count, sizeof(zval), 0);
			if (is_mixed) {
				there = read_mixed(reader, keys, count);
			} else {
				snapshot_fill_cells(&cells, keys, sizeof(zval), count);
				there = count;
			}
			if (EXPECTED(there == count)) {
				map = map_of(reader, keys, count);
			}
		}
	}
	snapshot_free_cells(&cells);
	for (uint32_t i = 0; i < there; i++) {
		zval_ptr_dtor_nogc(&keys[i]);
	}
	if (keys != NULL) {
		efree(keys);
	}
	return map;
}
