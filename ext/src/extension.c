/*
 * Encodes objects of the library and of PHP itself (twin: Encoder/Objects.php), and decodes ext values (twin:
 * Decoder/ExtValues.php).
 *
 * C leaves an object to the packer if packing the object may run user code: if there are transformers, if the object
 * packs itself or is lazy, or if its class or the packer's class may override methods. C decides before it writes the
 * first byte of the object.
 */
#include "encoder.h"
#include "decoder.h"
#include "timestamp.h"
#include "Zend/zend_enum.h"

static bool encode_properties(polypack_encoder *encoder, zend_object *object)
{
	zend_array *properties = object->handlers->get_properties(object);
	if (properties == NULL) {
		properties = (zend_array *) &zend_empty_array;
	}
	return polypack_encode_map(encoder, properties, true);
}

static bool encode_ext(polypack_encoder *encoder, zval *value, const polypack_class *class)
{
	zval *type = POLYPACK_PROPERTY(Z_OBJ_P(value), class, 0);
	zval *data = POLYPACK_PROPERTY(Z_OBJ_P(value), class, 1);
	ZVAL_DEREF(type); /* the properties are public and have no types, so they may be PHP references */
	ZVAL_DEREF(data);
	if (Z_TYPE_P(type) != IS_LONG || Z_TYPE_P(data) != IS_STRING || Z_STRLEN_P(data) > UINT32_MAX) {
		return polypack_encode_by_asking(encoder, value);
	}
	zend_long number = Z_LVAL_P(type);
	size_t length = Z_STRLEN_P(data);
	if (number < 0 || number >= POLYPACK_EXT_RECORD) {
		zend_long seconds, nanoseconds;
		if (number < -0x80 || number > 0x7f || (number == POLYPACK_EXT_RECORD && (length == 1 || length == 2))
			|| (number == POLYPACK_EXT_TIMESTAMP
				&& !polypack_split_timestamp((const uint8_t *) Z_STRVAL_P(data), length, &seconds, &nanoseconds))) {
			return polypack_encode_by_asking(encoder, value);
		}
	}
	polypack_reserve(encoder, length + POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_ext(encoder->p, (int) number, length);
	encoder->p = polypack_write_bytes(encoder->p, Z_STRVAL_P(data), length);
	return true;
}

static bool encode_bin(polypack_encoder *encoder, zval *value, const polypack_class *class)
{
	zval *data = POLYPACK_PROPERTY(Z_OBJ_P(value), class, 0);
	if (UNEXPECTED(Z_TYPE_P(data) != IS_STRING) || Z_STRLEN_P(data) > UINT32_MAX) {
		return polypack_encode_by_asking(encoder, value);
	}
	polypack_reserve(encoder, Z_STRLEN_P(data) + POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_bin(encoder->p, Z_STRLEN_P(data));
	encoder->p = polypack_write_bytes(encoder->p, Z_STRVAL_P(data), Z_STRLEN_P(data));
	return true;
}

static bool encode_timestamp(polypack_encoder *encoder, zend_long seconds, zend_long nanoseconds)
{
	polypack_reserve(encoder, POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_timestamp(encoder->p, seconds, nanoseconds);
	return true;
}

static bool encode_uint64(polypack_encoder *encoder, zval *value, const polypack_class *class)
{
	zval *digits = POLYPACK_PROPERTY(Z_OBJ_P(value), class, 0);
	uint64_t number;
	if (UNEXPECTED(Z_TYPE_P(digits) != IS_STRING) || UNEXPECTED(!polypack_read_digits(Z_STR_P(digits), &number))) {
		return polypack_encode_by_asking(encoder, value);
	}
	polypack_reserve(encoder, POLYPACK_MAX_HEAD);
	encoder->p = number <= INT64_MAX ? polypack_write_int(encoder->p, (int64_t) number, encoder->fixint_end)
		: polypack_write64(encoder->p, POLYPACK_UINT64, number);
	return true;
}

/* Entries */

/* The packed bytes of a key. They are compared to find duplicates. */
typedef struct {
	const char *bytes;
	size_t length;
} packed_key;

static int compare_keys(const void *one, const void *other)
{
	const packed_key *a = one, *b = other;
	size_t length = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->bytes, b->bytes, length);
	return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/*
 * Tells whether a key is simple: C can pack the key itself, and all equal keys are packed as the same bytes. Strict and
 * lossless mode need this, because they find duplicates by comparing packed keys.
 */
static bool is_simple_key(const polypack_encoder *encoder, zval *key, const polypack_class *classes)
{
	switch (Z_TYPE_P(key)) {
		case IS_STRING:
			return Z_STRLEN_P(key) <= UINT32_MAX && (!encoder->check_utf8 || encoder->detect_bin || encoder->force_bin
				|| polypack_is_utf8((const uint8_t *) Z_STRVAL_P(key), Z_STRLEN_P(key)));
		case IS_DOUBLE:
			return !encoder->force_float32;
		case IS_LONG:
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
			return true;
		case IS_OBJECT: {
			const zend_class_entry *entry = Z_OBJCE_P(key);
			if (encoder->has_transformers || POLYPACK_IS_LAZY(Z_OBJ_P(key))) {
				return false;
			}
			if (entry == classes[POLYPACK_TYPE_EXT].entry) {
				zval *type = POLYPACK_PROPERTY(Z_OBJ_P(key), &classes[POLYPACK_TYPE_EXT], 0);
				/* Simple types are 0 to 0x71. A timestamp (-1) has several forms, and 0x72 may be a declaration. */
				return encoder->is_plain_packer && Z_TYPE_P(type) == IS_LONG && Z_LVAL_P(type) >= 0
					&& Z_LVAL_P(type) < POLYPACK_EXT_RECORD && Z_TYPE_P(POLYPACK_PROPERTY(Z_OBJ_P(key), &classes[POLYPACK_TYPE_EXT], 1)) == IS_STRING;
			}
			return (entry == classes[POLYPACK_TYPE_BIN].entry
				|| entry == classes[POLYPACK_TYPE_TIMESTAMP].entry
				|| (entry == classes[POLYPACK_TYPE_UINT64].entry && encoder->is_plain_packer));
		}
		default:
			return false;
	}
}

/*
 * Tells whether two keys of an Entries are equal, or a key can't be packed. All keys must be simple. Packs the keys
 * into the output, compares their bytes, and removes them again.
 */
static bool has_duplicate(polypack_encoder *encoder, zend_array *entries)
{
	uint32_t count = zend_hash_num_elements(entries), i = 0;
	packed_key *keys = safe_emalloc(count, sizeof(*keys), 0);
	size_t start = (size_t) (encoder->p - encoder->base);
	bool is_good = true;
	zval *entry;
	ZEND_HASH_FOREACH_VAL(entries, entry) {
		size_t before = (size_t) (encoder->p - encoder->base);
		ZVAL_DEREF(entry);
		zval *key = zend_hash_index_find_deref(Z_ARRVAL_P(entry), 0);
		is_good = is_good && polypack_encode_value(encoder, key);
		keys[i].bytes = (const char *) before; /* an offset for now, because the output may still move */
		keys[i++].length = (size_t) (encoder->p - encoder->base) - before;
	} ZEND_HASH_FOREACH_END();
	for (i = 0; i < count; i++) {
		keys[i].bytes = encoder->base + (size_t) keys[i].bytes;
	}
	qsort(keys, count, sizeof(*keys), compare_keys);
	bool has = !is_good;
	for (i = 1; i < count; i++) {
		has = has || compare_keys(&keys[i - 1], &keys[i]) == 0;
	}
	efree(keys);
	encoder->p = encoder->base + start;
	return has;
}

/*
 * Tells whether C can pack the entries of an Entries. If not, the packer packs the whole Entries. C checks all keys
 * before it packs the first entry, because it can't leave only the remaining entries to the packer.
 */
static bool has_simple_keys(polypack_encoder *encoder, zend_array *entries, const polypack_class *classes)
{
	zval *entry;
	ZEND_HASH_FOREACH_VAL(entries, entry) {
		ZVAL_DEREF(entry);
		if (Z_TYPE_P(entry) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL_P(entry)) != 2 || !zend_array_is_list(Z_ARRVAL_P(entry))) {
			return false;
		}
		zval *key = zend_hash_index_find_deref(Z_ARRVAL_P(entry), 0);
		if (!is_simple_key(encoder, key, classes)) {
			/*
			 * In strict and lossless mode, duplicates are refused. Then C accepts a key that isn't simple only if the
			 * Entries has no other key. A string that isn't simple is left to the packer, which throws.
			 */
			if (encoder->check_utf8 && zend_hash_num_elements(entries) > 1) {
				return false;
			}
			if (Z_TYPE_P(key) == IS_STRING) {
				return false;
			}
		}
	} ZEND_HASH_FOREACH_END();
	return !encoder->check_utf8 || zend_hash_num_elements(entries) < 2 || !has_duplicate(encoder, entries);
}

/* Encodes a key that isn't a string. Declines arrays and objects as keys if records are on. */
static bool encode_key(polypack_encoder *encoder, zval *key, polypack_step *step)
{
	zend_long depth_before = encoder->key_depth;
	polypack_shapes *shapes = encoder->shapes;
	if (shapes != NULL && (Z_TYPE_P(key) == IS_ARRAY || Z_TYPE_P(key) == IS_OBJECT)) {
		return false; /* a map in a key must not become a record, so the PHP library packs the whole message */
	}
	if (depth_before < 0) {
		encoder->key_depth = encoder->depth + (zend_long) encoder->level - 1;
	}
	encoder->path = step;
	bool is_good = polypack_encode_value(encoder, key);
	encoder->path = step->around;
	encoder->key_depth = depth_before;
	return is_good;
}

static void step_to_key(polypack_step *step, zval *key, zend_long index, const polypack_class *classes)
{
	if (Z_TYPE_P(key) == IS_STRING) {
		polypack_step_to_name(step, Z_STR_P(key));
	} else if (Z_TYPE_P(key) == IS_LONG) {
		polypack_step_to_number(step, Z_LVAL_P(key));
	} else if (Z_TYPE_P(key) == IS_OBJECT && (Z_OBJCE_P(key) == classes[POLYPACK_TYPE_BIN].entry
			|| Z_OBJCE_P(key) == classes[POLYPACK_TYPE_UINT64].entry)) {
		step->kind = POLYPACK_STEP_OBJECT;
		step->key.object = Z_OBJ_P(key);
	} else {
		step->kind = POLYPACK_STEP_ENTRY;
		step->key.number = index;
	}
}

static bool encode_pairs(polypack_encoder *encoder, zend_array *entries, const polypack_class *classes)
{
	polypack_step step = {.around = encoder->path};
	zend_long index = 0;
	zval *entry;
	ZEND_HASH_FOREACH_VAL(entries, entry) {
		ZVAL_DEREF(entry);
		zend_array *pair = Z_TYPE_P(entry) == IS_ARRAY ? Z_ARRVAL_P(entry) : NULL;
		zval *key = pair != NULL ? zend_hash_index_find_deref(pair, 0) : NULL;
		zval *value = pair != NULL ? zend_hash_index_find(pair, 1) : NULL;
		if (UNEXPECTED(key == NULL) || UNEXPECTED(value == NULL)) { /* user code has changed the entry */
			zend_throw_error(NULL, "an entry of an Entries was changed while it was being packed");
			return false;
		}
		zval held;
		ZVAL_ARR(&held, pair);
		Z_TRY_ADDREF(held); /* user code may release all other references to the entry */
		step.kind = POLYPACK_STEP_ENTRY;
		step.key.number = index;
		bool is_good = Z_TYPE_P(key) == IS_STRING ? polypack_encode_string(encoder, Z_STR_P(key)) : encode_key(encoder, key, &step);
		if (EXPECTED(is_good)) {
			step_to_key(&step, key, index, classes);
			encoder->path = &step;
			is_good = polypack_encode_value(encoder, value);
			encoder->path = step.around;
		}
		zval_ptr_dtor(&held);
		if (UNEXPECTED(!is_good)) {
			return false;
		}
		index++;
	} ZEND_HASH_FOREACH_END();
	return true;
}

static bool encode_entries(polypack_encoder *encoder, zval *value, const polypack_class *classes)
{
	zval *property = POLYPACK_PROPERTY(Z_OBJ_P(value), &classes[POLYPACK_TYPE_ENTRIES], 0);
	if (UNEXPECTED(Z_TYPE_P(property) != IS_ARRAY) || !has_simple_keys(encoder, Z_ARRVAL_P(property), classes)) {
		return polypack_encode_by_asking(encoder, value);
	}
	zend_array *entries = Z_ARRVAL_P(property);
	polypack_reserve(encoder, POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_map(encoder->p, zend_hash_num_elements(entries));
	GC_TRY_ADDREF(entries);
	encoder->level++;
	bool is_good = encode_pairs(encoder, entries, classes);
	encoder->level--;
	zend_array_release(entries);
	return is_good;
}

/* Objects */

/*
 * Encodes an object of one of the library's classes. Returns 1 on success and 0 on failure. Returns -1 for another
 * class, or if the packer has to pack the object.
 */
static int encode_known(polypack_encoder *encoder, zval *value, const polypack_class *classes)
{
	zend_class_entry *entry = Z_OBJCE_P(value);
	if (entry == classes[POLYPACK_TYPE_BIN].entry) {
		return encode_bin(encoder, value, &classes[POLYPACK_TYPE_BIN]);
	}
	if (entry == classes[POLYPACK_TYPE_TIMESTAMP].entry) {
		const polypack_class *class = &classes[POLYPACK_TYPE_TIMESTAMP];
		zval *seconds = POLYPACK_PROPERTY(Z_OBJ_P(value), class, 0);
		zval *nanoseconds = POLYPACK_PROPERTY(Z_OBJ_P(value), class, 1);
		return encode_timestamp(encoder, Z_LVAL_P(seconds), Z_LVAL_P(nanoseconds));
	}
	/* The PHP code of Ext and UInt64 calls methods of the packer, which a subclass of Packer may override. */
	if (entry == classes[POLYPACK_TYPE_EXT].entry && encoder->is_plain_packer) {
		return encode_ext(encoder, value, &classes[POLYPACK_TYPE_EXT]);
	}
	if (entry == classes[POLYPACK_TYPE_UINT64].entry && encoder->is_plain_packer && !(encoder->is_inside && encoder->path == NULL)) {
		return encode_uint64(encoder, value, &classes[POLYPACK_TYPE_UINT64]);
	}
	if (!polypack_may_open(encoder)) {
		return -1;
	}
	if (entry == classes[POLYPACK_TYPE_ENTRIES].entry) {
		return encode_entries(encoder, value, classes);
	}
	if (entry == classes[POLYPACK_TYPE_MAP].entry) {
		zval *map = POLYPACK_PROPERTY(Z_OBJ_P(value), &classes[POLYPACK_TYPE_MAP], 0);
		return Z_TYPE_P(map) == IS_ARRAY ? polypack_encode_map(encoder, Z_ARRVAL_P(map), false) : -1;
	}
	return -1;
}

/*
 * Tells whether to leave a whole array to the packer. All its values must be objects. If there are no transformers, the
 * first one must be of a user's class, and pack itself.
 */
bool polypack_has_only_foreign(const polypack_encoder *encoder, zend_array *array)
{
	const polypack_class *classes = polypack_known_classes();
	bool is_foreign = encoder->has_transformers;
	zval *value;
	ZEND_HASH_FOREACH_VAL(array, value) {
		ZVAL_DEREF(value);
		if (Z_TYPE_P(value) != IS_OBJECT) {
			return false;
		}
		if (!is_foreign) {
			const zend_class_entry *entry = Z_OBJCE_P(value), *packs_itself = classes[POLYPACK_CAN_BE_PACKED].entry;
			for (int index = POLYPACK_TYPE_BIN; index <= POLYPACK_TYPE_MAP; index++) {
				if (entry == classes[index].entry) {
					return false;
				}
			}
			if (packs_itself == NULL || !instanceof_function(entry, packs_itself)) {
				return false;
			}
			is_foreign = true;
		}
	} ZEND_HASH_FOREACH_END();
	return is_foreign;
}

bool polypack_encode_object(polypack_encoder *encoder, zval *value)
{
	zend_object *object = Z_OBJ_P(value);
	if (UNEXPECTED(encoder->has_transformers) || UNEXPECTED(POLYPACK_IS_LAZY(object))) {
		return polypack_encode_by_asking(encoder, value);
	}
	if (object->ce == zend_standard_class_def) {
		return polypack_may_open(encoder) ? encode_properties(encoder, object) : polypack_encode_by_asking(encoder, value);
	}
	const polypack_class *classes = polypack_known_classes();
	int done = encode_known(encoder, value, classes);
	if (done >= 0) {
		return done;
	}
	zend_class_entry *packs_itself = classes[POLYPACK_CAN_BE_PACKED].entry;
	if (packs_itself == NULL || !instanceof_function(object->ce, packs_itself)) {
		zend_long seconds, nanoseconds;
		if (polypack_read_date(object, &seconds, &nanoseconds)) {
			return encode_timestamp(encoder, seconds, nanoseconds);
		}
		if ((object->ce->ce_flags & ZEND_ACC_ENUM) != 0 && object->ce->enum_backing_type != IS_UNDEF) {
			return polypack_encode_value(encoder, zend_enum_fetch_case_value(object));
		}
	}
	return polypack_encode_by_asking(encoder, value);
}

/* Ext values */

bool polypack_decode_ext(polypack_decoder *decoder, zval *to, size_t owed)
{
	const uint8_t *head = decoder->p;
	int type;
	size_t length;
	ZVAL_NULL(to);
	if (UNEXPECTED(!polypack_read_ext(&decoder->p, decoder->end, &type, &length))) {
		return false;
	}
	bool is_declaration = UNEXPECTED(type == POLYPACK_EXT_RECORD) && (length == 1 || length == 2);
	if (is_declaration && decoder->declarations != NULL) {
		return polypack_decode_declaration(decoder, to, head, length, owed);
	}
	if (UNEXPECTED(decoder->extensions != NULL) && zend_hash_index_exists(decoder->extensions, (zend_ulong) (zend_long) type)) {
		return polypack_decode_by_asking(decoder, to, head, owed);
	}
	if (is_declaration) {
		return false;
	}
	if (UNEXPECTED(!polypack_weigh(decoder, POLYPACK_OBJECT_WEIGHT))) {
		return polypack_refuse(decoder, to, head, owed);
	}
	const uint8_t *data = decoder->p;
	if (type == POLYPACK_EXT_TIMESTAMP) {
		zend_long seconds, nanoseconds;
		decoder->p += length;
		return polypack_split_timestamp(data, length, &seconds, &nanoseconds) && polypack_new_timestamp(to, seconds, nanoseconds);
	}
	decoder->p += length;
	if (type == POLYPACK_EXT_UNDEFINED && length == 1 && data[0] == 0 && !decoder->lossless) {
		return true;
	}
	return polypack_new_ext(to, type, zend_string_init((const char *) data, length, 0));
}
