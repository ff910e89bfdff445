/*
 * Decodes maps. Strings of most keys are cached during a request, because keys often repeat. Decoder/Containers.php of
 * the library is the twin. Maps in lossless mode are in lossless.c.
 */
#include "decoder_common.h"
#include "lossless.h"

/* Keys */

/*
 * Returns the index of a key's slot in the cache. Hashes only the length, the first bytes and the last bytes, because
 * they differ between most keys of a map.
 */
static zend_always_inline uint32_t cache_slot(const uint8_t *bytes, size_t length)
{
	uint32_t first, last;
	if (length >= 4) {
		memcpy(&first, bytes, 4);
		memcpy(&last, bytes + length - 4, 4);
	} else {
		first = bytes[0];
		last = (uint32_t) bytes[1] << 8 | bytes[length - 1];
	}
	uint32_t hash = first * UINT32_C(2654435761) ^ last * UINT32_C(2246822519) ^ (uint32_t) length * UINT32_C(374761393);
	hash = (hash ^ hash >> 15) * UINT32_C(2246822519);
	return hash >> 23; /* 9 bits, because the cache has POLYPACK_KEYS = 512 slots */
}

/*
 * Makes a string for a key, and puts it into the cache slot `kept`. The first POLYPACK_INTERNED_KEYS strings of a
 * request are interned, so PHP needn't count references to them.
 */
static zend_never_inline zend_string *new_key(zend_string **kept, const uint8_t *bytes, size_t length)
{
	zend_string *key = polypack_new_string(bytes, length);
	if (*kept != NULL) {
		zend_string_release(*kept);
	}
	zend_string_hash_val(key);
	if (POLYPACK_G(interned_keys) < POLYPACK_INTERNED_KEYS) {
		POLYPACK_G(interned_keys)++;
		key = zend_new_interned_string(key);
	}
	*kept = key;
	return zend_string_copy(key);
}

static zend_always_inline zend_string *cached_key(zend_string **keys, const uint8_t *bytes, size_t length)
{
	if (UNEXPECTED(length <= 1)) {
		return length == 0 ? ZSTR_EMPTY_ALLOC() : ZSTR_CHAR(bytes[0]);
	}
	if (UNEXPECTED(length >= POLYPACK_LONG_KEY)) {
		return polypack_new_string(bytes, length);
	}
	zend_string **kept = &keys[cache_slot(bytes, length)];
	zend_string *key = *kept;
	if (EXPECTED(key != NULL) && EXPECTED(ZSTR_LEN(key) == length) && EXPECTED(polypack_equal(ZSTR_VAL(key), bytes, length))) {
		return zend_string_copy(key);
	}
	return new_key(kept, bytes, length);
}

zend_string *polypack_key(polypack_decoder *decoder, const uint8_t *bytes, size_t length)
{
	return cached_key(decoder->keys, bytes, length);
}

zend_string *polypack_kept_key(const uint8_t *bytes, size_t length)
{
	return cached_key(POLYPACK_G(keys), bytes, length);
}

zend_array *polypack_new_map(uint32_t capacity)
{
	zend_array *map = zend_new_array(capacity);
	zend_hash_real_init_mixed(map);
	return map;
}

static zend_always_inline Bucket *append_bucket(zend_array *map, zend_ulong hash)
{
	if (UNEXPECTED(map->nNumUsed >= map->nTableSize)) {
		zend_hash_extend(map, 2 * map->nTableSize, false);
	}
	uint32_t index = map->nNumUsed++;
	uint32_t place = (uint32_t) hash | map->nTableMask;
	Bucket *bucket = map->arData + index;
	map->nNumOfElements++;
	bucket->h = hash;
	ZVAL_UNDEF(&bucket->val);
	Z_NEXT(bucket->val) = HT_HASH_EX(map->arData, place);
	HT_HASH_EX(map->arData, place) = HT_IDX_TO_HASH(index);
	return bucket;
}

static zend_always_inline zval *append_name(zend_array *map, zend_string *name)
{
	Bucket *bucket = append_bucket(map, ZSTR_HASH(name));
	bucket->key = name;
	if (!ZSTR_IS_INTERNED(name)) {
		HT_FLAGS(map) &= ~HASH_FLAG_STATIC_KEYS;
	}
	return &bucket->val;
}

static zend_always_inline zval *append_number(zend_array *map, zend_ulong number)
{
	Bucket *bucket = append_bucket(map, number);
	bucket->key = NULL;
	if ((zend_long) number >= map->nNextFreeElement) {
		map->nNextFreeElement = (zend_long) number < ZEND_LONG_MAX ? (zend_long) number + 1 : ZEND_LONG_MAX;
	}
	return &bucket->val;
}

static zend_always_inline zval *name_slot(zend_array *map, zend_string *name)
{
	if (UNEXPECTED((HT_FLAGS(map) & (HASH_FLAG_PACKED | HASH_FLAG_UNINITIALIZED)) != 0)) {
		if ((HT_FLAGS(map) & HASH_FLAG_UNINITIALIZED) != 0) {
			zend_hash_real_init_mixed(map);
		} else {
			zend_hash_packed_to_hash(map);
		}
	}
	zend_ulong hash = ZSTR_HASH(name);
	uint32_t at = HT_HASH_EX(map->arData, (uint32_t) hash | map->nTableMask);
	while (at != HT_INVALID_IDX) {
		Bucket *bucket = HT_HASH_TO_BUCKET_EX(map->arData, at);
		if (UNEXPECTED(bucket->h == hash) && bucket->key != NULL
			&& (bucket->key == name || zend_string_equal_content(bucket->key, name))) {
			zend_string_release(name);
			return &bucket->val;
		}
		at = Z_NEXT(bucket->val);
	}
	return append_name(map, name);
}

zval *polypack_name_slot(zend_array *map, zend_string *name)
{
	return name_slot(map, name);
}

zval *polypack_new_slot(zend_array *map, zend_string *name, bool may_be_number)
{
	zend_ulong number;
	return may_be_number && ZSTR_LEN(name) > 0 && ZEND_HANDLE_NUMERIC(name, number) ? append_number(map, number)
		: append_name(map, zend_string_copy(name));
}

zval *polypack_number_slot(zend_array *map, zend_ulong number)
{
	if ((HT_FLAGS(map) & (HASH_FLAG_PACKED | HASH_FLAG_UNINITIALIZED)) != 0) {
		/* PHP's functions decide whether the array stays a list or needs a hash table. */
		zval *slot = zend_hash_index_find(map, number);
		if (slot == NULL) {
			zval none;
			ZVAL_NULL(&none);
			slot = zend_hash_index_add_new(map, number, &none);
			ZVAL_UNDEF(slot);
		}
		return slot;
	}
	uint32_t at = HT_HASH_EX(map->arData, (uint32_t) number | map->nTableMask);
	while (at != HT_INVALID_IDX) {
		Bucket *bucket = HT_HASH_TO_BUCKET_EX(map->arData, at);
		if (bucket->h == number && bucket->key == NULL) {
			return &bucket->val;
		}
		at = Z_NEXT(bucket->val);
	}
	return append_number(map, number);
}

/*
 * Sets `step` to a slot's key. Uses the string in the map, because the equal string that was looked up may have been
 * freed.
 */
static zend_always_inline void step_to_slot(polypack_step *step, zval *slot)
{
	polypack_step_to_name(step, ((Bucket *) slot)->key); /* the slot is the first member of its bucket */
}

/*
 * Returns the slot of a str or bin key, and sets `step` to the key. A key such as "12" becomes an int, as in all arrays
 * of PHP.
 */
static zend_always_inline zval *text_slot(polypack_decoder *decoder, zend_array *map, const uint8_t *bytes, size_t length, polypack_step *step)
{
	zend_ulong number;
	if (UNEXPECTED(length > 0 && bytes[0] <= '9') && ZEND_HANDLE_NUMERIC_STR((const char *) bytes, length, number)) {
		polypack_step_to_number(step, (zend_long) number);
		return polypack_number_slot(map, number);
	}
	zval *slot = name_slot(map, cached_key(decoder->keys, bytes, length));
	step_to_slot(step, slot);
	return slot;
}

/*
 * Decodes a key that isn't a fixstr, and returns its slot. Returns NULL if the key is faulty, or if arrays of PHP or
 * the options don't allow it.
 */
static zval *uncommon_key_slot(polypack_decoder *decoder, zend_array *map, polypack_step *step)
{
	const uint8_t *bytes;
	uint8_t head = *decoder->p;
	uint64_t bits;
	size_t length;
	if (head < 0x80 || head >= POLYPACK_NEGATIVE_FIXINT) {
		if (head >= decoder->fixint_end && head < 0x80 && (decoder->strict || polypack_starts_instance(decoder, head))) {
			return NULL;
		}
		decoder->p++;
		bits = (uint64_t) (int64_t) (int8_t) head;
	} else if (head >= POLYPACK_UINT8 && head <= POLYPACK_INT64) {
		decoder->p++;
		if (!polypack_read_int(&decoder->p, decoder->end, head, &bits)) {
			return NULL;
		}
		if (head == POLYPACK_UINT64 && bits > INT64_MAX) {
			if ((decoder->options & POLYPACK_BIGINT_THROW) != 0) {
				return NULL;
			}
			zval *slot = polypack_name_slot(map, polypack_digits(bits));
			step_to_slot(step, slot);
			return slot;
		}
	} else if (head >= POLYPACK_BIN8 && head <= POLYPACK_BIN32) {
		decoder->p++;
		if (!polypack_read_body(decoder, (size_t) 1 << (head - POLYPACK_BIN8), &length)) {
			return NULL;
		}
		bytes = decoder->p;
		decoder->p += length;
		zval *slot = text_slot(decoder, map, bytes, length, step);
		if (step->kind == POLYPACK_STEP_NAME) {
			step->kind = POLYPACK_STEP_BIN;
		}
		return slot;
	} else if (polypack_read_str(decoder, &bytes, &length)) {
		return text_slot(decoder, map, bytes, length, step);
	} else {
		return NULL;
	}
	polypack_step_to_number(step, (zend_long) bits);
	return polypack_number_slot(map, bits);
}

/* Maps */

/* Frees the earlier value of a repeated key. Destructors may run, which are user code. Returns false if one throws. */
static ZEND_COLD bool free_earlier(polypack_decoder *decoder, zval *slot)
{
	zval earlier;
	memset(decoder->models, 0, sizeof(decoder->models)); /* the value to free may contain some of these maps */
	ZVAL_COPY_VALUE(&earlier, slot);
	ZVAL_NULL(slot);
	zval_ptr_dtor(&earlier);
	return EG(exception) == NULL;
}

/*
 * Extends a map that began with little capacity to `count` entries, if `promises` (limits.h) has enough bytes left.
 * Does nothing for a packed array.
 */
static ZEND_COLD void reserve_entries(polypack_decoder *decoder, zend_array *map, uint32_t count, size_t *taken)
{
	if ((HT_FLAGS(map) & HASH_FLAG_PACKED) == 0) {
		uint32_t capacity = polypack_promise_entries(decoder, count, taken);
		if (capacity > map->nTableSize) {
			zend_hash_extend(map, capacity, false);
		}
	}
}

/* Reads the next key if it is a fixstr with this text. Otherwise reads nothing and returns false. */
static zend_always_inline bool read_this_key(polypack_decoder *decoder, const zend_string *key)
{
	size_t length = ZSTR_LEN(key);
	const uint8_t *p = decoder->p;
	if (UNEXPECTED(length >= (size_t) (decoder->end - p)) || *p != (POLYPACK_FIXSTR | length) || !polypack_equal(p + 1, ZSTR_VAL(key), length)) {
		return false;
	}
	decoder->p = p + 1 + length;
	return true;
}

/* Fills the hash slots of a map whose first `count` buckets have keys and values. */
static void make_hash(zend_array *map, uint32_t count)
{
	map->nNumUsed = map->nNumOfElements = count;
	for (uint32_t i = 0; i < count; i++) {
		Bucket *bucket = map->arData + i;
		uint32_t place = (uint32_t) bucket->h | map->nTableMask;
		Z_NEXT(bucket->val) = HT_HASH_EX(map->arData, place);
		HT_HASH_EX(map->arData, place) = HT_IDX_TO_HASH(i);
	}
}

/*
 * Decodes the first entries of a map that may have the same keys as an earlier map of the message, the model. The rows
 * of a table are such maps, for example. Stops at the first key that differs from the key at the same index of the
 * model. Equal keys are taken from the model without a look-up. If all keys are equal and both maps have the same
 * capacity, the hash slots are copied from the model, too. Returns how many entries the map has now. Sets `is_good` to
 * false if a value can't be decoded.
 */
static uint32_t decode_like(polypack_decoder *decoder, zend_array *map, const zend_array *model, size_t owed, bool *is_good)
{
	polypack_step step = {.around = decoder->path};
	uint32_t count = model->nNumUsed, i = 0;
	const Bucket *from = model->arData;
	Bucket *bucket = map->arData;
	HT_FLAGS(map) = (HT_FLAGS(map) & ~HASH_FLAG_STATIC_KEYS) | (HT_FLAGS(model) & HASH_FLAG_STATIC_KEYS);
	decoder->path = &step;
	for (; i < count && read_this_key(decoder, from->key); i++, from++, bucket++) {
		bucket->h = from->h;
		bucket->key = from->key;
		zend_string_addref(bucket->key);
		polypack_step_to_name(&step, bucket->key);
		if (UNEXPECTED(!polypack_decode_common(decoder, &bucket->val))
			&& UNEXPECTED(!polypack_decode_value(decoder, &bucket->val, owed + 2 * (size_t) (count - i - 1)))) {
			*is_good = false;
			i++;
			break;
		}
	}
	decoder->path = step.around;
	if (EXPECTED(i == count) && map->nTableMask == model->nTableMask) {
		map->nNumUsed = map->nNumOfElements = count;
		memcpy(HT_GET_DATA_ADDR(map), HT_GET_DATA_ADDR(model), HT_HASH_SIZE(map->nTableMask));
		for (uint32_t j = 0; j < count; j++) {
			Z_NEXT(map->arData[j].val) = Z_NEXT(model->arData[j].val);
		}
	} else {
		make_hash(map, i);
	}
	return i;
}

static bool decode_entries(polypack_decoder *decoder, zend_array *map, uint32_t count, size_t owed, size_t *taken)
{
	polypack_step step = {.around = decoder->path};
	const zend_array **model = &decoder->models[count % POLYPACK_MODELS];
	uint32_t left = count;
	bool is_good = true, may_be_model = true;
	if (*model != NULL && (*model)->nNumUsed == count && count <= map->nTableSize && (HT_FLAGS(map) & HASH_FLAG_UNINITIALIZED) == 0) {
		uint32_t same = decode_like(decoder, map, *model, owed, &is_good);
		if (EXPECTED(same == count) || UNEXPECTED(!is_good)) {
			return is_good;
		}
		left -= same;
	}
	uint32_t reserve_at = *taken == 0 && count > POLYPACK_SEEN ? count - POLYPACK_SEEN : 0;
	decoder->path = &step;
	for (; left > 0; left--) {
		zval *slot;
		if (UNEXPECTED(left == reserve_at)) {
			reserve_entries(decoder, map, count, taken);
		}
		if (UNEXPECTED(decoder->p >= decoder->end)) {
			is_good = false;
			break;
		}
		if (EXPECTED((*decoder->p & 0xe0) == POLYPACK_FIXSTR)) {
			const uint8_t *bytes = decoder->p + 1;
			size_t length = *decoder->p & 0x1f;
			if (UNEXPECTED(length > (size_t) (decoder->end - bytes)) || UNEXPECTED(decoder->check_utf8 && !polypack_is_utf8(bytes, length))) {
				is_good = false;
				break;
			}
			decoder->p = bytes + length;
			slot = text_slot(decoder, map, bytes, length, &step);
			may_be_model = may_be_model && step.kind == POLYPACK_STEP_NAME;
		} else {
			slot = uncommon_key_slot(decoder, map, &step);
			may_be_model = false;
		}
		if (UNEXPECTED(slot == NULL) || (UNEXPECTED(Z_TYPE_P(slot) != IS_UNDEF) && (decoder->strict || !free_earlier(decoder, slot)))) {
			is_good = false;
			break;
		}
		if (UNEXPECTED(!polypack_decode_common(decoder, slot)) && UNEXPECTED(!polypack_decode_value(decoder, slot, owed + 2 * (size_t) (left - 1)))) {
			is_good = false;
			break;
		}
	}
	decoder->path = step.around;
	if (is_good && may_be_model && map->nNumUsed == count) {
		*model = map;
	}
	return is_good;
}

bool polypack_decode_map(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t count, size_t owed)
{
	ZVAL_EMPTY_ARRAY(to);
	if (UNEXPECTED(!polypack_open(decoder, 2 * count, owed)) || (count > 0 && UNEXPECTED(!polypack_pay_for_map(decoder, count)))) {
		return polypack_refuse(decoder, to, head, owed);
	}
	if (UNEXPECTED(decoder->lossless)) {
		decoder->level++;
		bool is_good = polypack_decode_lossless_map(decoder, to, count, owed);
		decoder->level--;
		return is_good;
	}
	if (count == 0) {
		return true;
	}
	size_t taken = 0;
	/* If the first key isn't a fixstr, PHP's functions decide whether the map becomes a list without a hash table. */
	zend_array *map = (*decoder->p & 0xe0) == POLYPACK_FIXSTR ? polypack_new_map(polypack_promise_entries(decoder, count, &taken))
		: zend_new_array(POLYPACK_SMALLEST);
	ZVAL_ARR(to, map);
	decoder->level++;
	bool is_good = decode_entries(decoder, map, (uint32_t) count, owed, &taken);
	decoder->level--;
	decoder->promises += taken;
	return is_good;
}
