/*
 * Encodes messages (spec/02-wire.md). Packer.php and Encoder/ of the library are the twins.
 *
 * Plan of the file: the output; strings and floats; arrays; values of any kind; entry points. Objects are in
 * extension.c, and records in records/.
 *
 * The encoder holds a reference to an array while it encodes the elements, so that user code can't free the array.
 */
#include "encoder.h"
#include "faults.h"

/* The output */

void polypack_begin_output(polypack_encoder *encoder)
{
	encoder->uses_scratch = !POLYPACK_G(scratch_in_use);
	if (EXPECTED(encoder->uses_scratch)) {
		POLYPACK_G(scratch_in_use) = true;
		encoder->string = NULL;
		encoder->base = POLYPACK_G(scratch);
		encoder->end = encoder->base + POLYPACK_SCRATCH;
	} else { /* a message around this one, or in another fiber, is using the scratch buffer */
		encoder->string = zend_string_alloc(POLYPACK_SCRATCH / 4, 0);
		encoder->base = ZSTR_VAL(encoder->string);
		encoder->end = encoder->base + POLYPACK_SCRATCH / 4;
	}
	encoder->p = encoder->base;
}

/* Makes the output larger. Moves output out of the scratch buffer, so that another message can use the buffer. */
ZEND_COLD void polypack_grow(polypack_encoder *encoder, size_t length)
{
	size_t used = (size_t) (encoder->p - encoder->base);
	size_t capacity = 2 * (size_t) (encoder->end - encoder->base);
	if (capacity - used < length) {
		capacity = zend_safe_addmult(1, used, length, "the output") + POLYPACK_MAX_HEAD;
	}
	if (encoder->string == NULL) {
		encoder->string = zend_string_alloc(capacity, 0);
		memcpy(ZSTR_VAL(encoder->string), encoder->base, used);
		encoder->uses_scratch = false;
		POLYPACK_G(scratch_in_use) = false;
	} else {
		encoder->string = zend_string_realloc(encoder->string, capacity, 0);
	}
	encoder->base = ZSTR_VAL(encoder->string);
	encoder->p = encoder->base + used;
	encoder->end = encoder->base + capacity;
}

zend_string *polypack_end_output(polypack_encoder *encoder)
{
	size_t length = (size_t) (encoder->p - encoder->base);
	zend_string *string = encoder->string;
	if (string == NULL) {
		string = zend_string_init(encoder->base, length, 0);
	} else {
		encoder->string = NULL;
		if ((size_t) (encoder->end - encoder->p) > length / 8) {
			string = zend_string_realloc(string, length, 0);
		}
		ZSTR_LEN(string) = length;
		ZSTR_VAL(string)[length] = '\0';
	}
	return string;
}

void polypack_free_output(polypack_encoder *encoder)
{
	if (encoder->uses_scratch) {
		POLYPACK_G(scratch_in_use) = false;
	}
	if (encoder->string != NULL) {
		zend_string_efree(encoder->string);
	}
}

/* Strings and floats */

static bool is_utf8(const zend_string *string)
{
	return (GC_FLAGS(string) & IS_STR_VALID_UTF8) != 0 || polypack_is_utf8((const uint8_t *) ZSTR_VAL(string), ZSTR_LEN(string));
}

static bool encode_by_name(polypack_encoder *encoder, zend_string *string)
{
	zval value;
	ZVAL_STR(&value, string);
	return polypack_encode_by_asking(encoder, &value);
}

bool polypack_encode_string(polypack_encoder *encoder, zend_string *string)
{
	size_t length = ZSTR_LEN(string);
	bool is_bin = encoder->force_bin;
	if (UNEXPECTED(length > UINT32_MAX)) {
		return encode_by_name(encoder, string);
	}
	if (!is_bin && (encoder->detect_bin || encoder->check_utf8) && !is_utf8(string)) {
		if (!encoder->detect_bin) {
			return encode_by_name(encoder, string);
		}
		is_bin = true;
	}
	polypack_reserve(encoder, length + POLYPACK_MAX_HEAD);
	char *p = is_bin ? polypack_write_bin(encoder->p, length) : polypack_write_str(encoder->p, length);
	encoder->p = polypack_write_bytes(p, ZSTR_VAL(string), length);
	return true;
}

/*
 * Encodes a string. Doesn't check for UTF-8 if plain_strings is set, or if the string is short ASCII text and force_bin
 * is off.
 */
static zend_always_inline bool encode_common_string(polypack_encoder *encoder, zend_string *string)
{
	size_t length = ZSTR_LEN(string);
	bool is_plain = encoder->plain_strings
		|| (!encoder->force_bin && length < POLYPACK_LONG_TEXT && polypack_is_ascii((const uint8_t *) ZSTR_VAL(string), length));
	if (!is_plain || UNEXPECTED(length > UINT32_MAX)) {
		return polypack_encode_string(encoder, string);
	}
	polypack_reserve(encoder, length + POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_bytes(polypack_write_str(encoder->p, length), ZSTR_VAL(string), length);
	return true;
}

static bool encode_float(polypack_encoder *encoder, zval *value)
{
	double number = Z_DVAL_P(value);
	polypack_reserve(encoder, POLYPACK_MAX_HEAD);
	if (!encoder->force_float32) {
		encoder->p = polypack_write_float64(encoder->p, number);
		return true;
	}
	float rounded = (float) number;
	if (UNEXPECTED(zend_isinf((double) rounded)) && !zend_isinf(number)) {
		return polypack_encode_by_asking(encoder, value);
	}
	encoder->p = polypack_write_float32(encoder->p, rounded);
	return true;
}

/* Arrays */

static zend_always_inline bool encode_common(polypack_encoder *encoder, zval *value)
{
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			return encode_common_string(encoder, Z_STR_P(value));
		case IS_LONG:
			polypack_reserve(encoder, POLYPACK_MAX_HEAD);
			encoder->p = polypack_write_int(encoder->p, Z_LVAL_P(value), encoder->fixint_end);
			return true;
		default:
			return polypack_encode_value(encoder, value);
	}
}

/*
 * encode_ints() and encode_floats() encode elements of a packed array. They stop at `end` or at an element of another
 * type, and return where they stopped.
 */

static zval *encode_ints(polypack_encoder *encoder, zval *value, zval *end)
{
	const int64_t fixint_end = encoder->fixint_end;
	while (value < end && Z_TYPE_P(value) == IS_LONG) {
		zval *stop = end - value > 64 ? value + 64 : end;
		polypack_reserve(encoder, (size_t) (stop - value) * 9);
		char *p = encoder->p;
		while (value < stop && Z_TYPE_P(value) == IS_LONG) {
			p = polypack_write_int(p, Z_LVAL_P(value), fixint_end);
			value++;
		}
		encoder->p = p;
	}
	return value;
}

static zval *encode_floats(polypack_encoder *encoder, zval *value, zval *end)
{
	while (value < end && Z_TYPE_P(value) == IS_DOUBLE) {
		zval *stop = end - value > 256 ? value + 256 : end;
		polypack_reserve(encoder, (size_t) (stop - value) * 9);
		char *p = encoder->p;
		while (value < stop && Z_TYPE_P(value) == IS_DOUBLE) {
			p = polypack_write_float64(p, Z_DVAL_P(value));
			value++;
		}
		encoder->p = p;
	}
	return value;
}

static bool encode_elements(polypack_encoder *encoder, zend_array *array)
{
	polypack_step step = {.around = encoder->path};
	bool is_good = true;
	encoder->path = &step;
	if (HT_IS_PACKED(array)) {
		zval *begin = array->arPacked, *end = begin + array->nNumUsed;
		uint32_t holes = 0;
		for (zval *value = begin; value < end; value++) {
			if (Z_TYPE_P(value) == IS_LONG) {
				value = encode_ints(encoder, value, end);
			} else if (Z_TYPE_P(value) == IS_DOUBLE && !encoder->force_float32) {
				value = encode_floats(encoder, value, end);
			}
			if (value == end) {
				break;
			}
			if (UNEXPECTED(Z_TYPE_P(value) == IS_UNDEF)) {
				holes++;
				continue;
			}
			polypack_step_to_number(&step, value - begin - holes);
			if (UNEXPECTED(!encode_common(encoder, value))) {
				is_good = false;
				break;
			}
		}
	} else {
		zend_long index = 0;
		zval *value;
		ZEND_HASH_MAP_FOREACH_VAL(array, value) {
			polypack_step_to_number(&step, index++);
			if (UNEXPECTED(!encode_common(encoder, value))) {
				is_good = false;
				break;
			}
		} ZEND_HASH_FOREACH_END();
	}
	encoder->path = step.around;
	return is_good;
}

/*
 * Prefetches the first entry of the array that is encoded next. Arrays inside a large value are spread over memory, so
 * the encoder would often have to wait for the entry.
 */
static zend_always_inline void fetch_early(const zval *next)
{
#if defined(__GNUC__)
	if (Z_TYPE_P(next) == IS_ARRAY) {
		__builtin_prefetch(Z_ARRVAL_P(next)->arData);
	}
#endif
}

static bool encode_entries(polypack_encoder *encoder, zend_array *map, bool with_keys)
{
	polypack_step step = {.around = encoder->path};
	zend_string *name;
	zend_ulong number;
	zval *value;
	const Bucket *end = HT_IS_PACKED(map) ? NULL : map->arData + map->nNumUsed;
	ZEND_HASH_FOREACH_KEY_VAL(map, number, name, value) {
		const Bucket *next = (const Bucket *) value + 1; /* in a map, the value is the first member of its bucket */
		if (next < end) {
			fetch_early(&next->val);
		}
		if (EXPECTED(name != NULL)) {
			/* An error in a key has the path of the map, so the step is set after the key is encoded. */
			if (with_keys && UNEXPECTED(!encode_common_string(encoder, name))) {
				return false;
			}
			polypack_step_to_name(&step, name);
		} else {
			polypack_reserve(encoder, POLYPACK_MAX_HEAD);
			encoder->p = polypack_write_int(encoder->p, (zend_long) number, encoder->fixint_end);
			polypack_step_to_number(&step, (zend_long) number);
		}
		encoder->path = &step;
		if (UNEXPECTED(!encode_common(encoder, value))) {
			encoder->path = step.around;
			return false;
		}
		encoder->path = step.around;
	} ZEND_HASH_FOREACH_END();
	return true;
}

static bool encode_list(polypack_encoder *encoder, zend_array *array)
{
	polypack_reserve(encoder, POLYPACK_MAX_HEAD);
	encoder->p = polypack_write_array(encoder->p, zend_hash_num_elements(array));
	return encode_elements(encoder, array);
}

bool polypack_encode_map(polypack_encoder *encoder, zend_array *map, bool may_be_record)
{
	bool is_record = false;
	if (UNEXPECTED(encoder->shapes != NULL) && may_be_record && !polypack_encode_record_head(encoder, map, &is_record)) {
		return false;
	}
	if (!is_record) {
		polypack_reserve(encoder, POLYPACK_MAX_HEAD);
		encoder->p = polypack_write_map(encoder->p, zend_hash_num_elements(map));
	}
	GC_TRY_ADDREF(map);
	encoder->level++;
	bool is_good = encode_entries(encoder, map, !is_record);
	encoder->level--;
	zend_array_release(map);
	return is_good;
}

static zend_always_inline bool begins_with_object(const zend_array *array)
{
	if (array->nNumUsed == 0) {
		return false;
	}
	const zval *first = HT_IS_PACKED(array) ? array->arPacked : &array->arData->val;
	return Z_TYPE_P(first) == IS_OBJECT;
}

static bool encode_array(polypack_encoder *encoder, zval *value)
{
	zend_array *array = Z_ARRVAL_P(value);
	if (UNEXPECTED(!polypack_may_open(encoder))) {
		return polypack_encode_by_asking(encoder, value);
	}
	if (UNEXPECTED(begins_with_object(array)) && encoder->packer != NULL && polypack_has_only_foreign(encoder, array)) {
		/*
		 * The packer packs the whole array, which is faster than a call for each object. At the top no user code has
		 * run yet, so C declines.
		 */
		return encoder->path != NULL && polypack_encode_by_asking(encoder, value);
	}
	bool is_list = zend_array_is_list(array);
	if (is_list ? encoder->force_map : !encoder->force_array) {
		return polypack_encode_map(encoder, array, true);
	}
	GC_TRY_ADDREF(array);
	encoder->level++;
	bool is_good = encode_list(encoder, array);
	encoder->level--;
	zend_array_release(array);
	return is_good;
}

/* Values of any kind */

bool polypack_encode_value(polypack_encoder *encoder, zval *value)
{
	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_ARRAY:
			return encode_array(encoder, value);
		case IS_OBJECT:
			return polypack_encode_object(encoder, value);
		case IS_STRING:
			return encode_common_string(encoder, Z_STR_P(value));
		case IS_DOUBLE:
			return encode_float(encoder, value);
		case IS_LONG:
			polypack_reserve(encoder, POLYPACK_MAX_HEAD);
			encoder->p = polypack_write_int(encoder->p, Z_LVAL_P(value), encoder->fixint_end);
			return true;
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
			polypack_reserve(encoder, 1);
			*encoder->p++ = (char) (Z_TYPE_P(value) == IS_NULL ? POLYPACK_NIL : (Z_TYPE_P(value) == IS_TRUE ? POLYPACK_TRUE : POLYPACK_FALSE));
			return true;
		default: /* a resource */
			return polypack_encode_by_asking(encoder, value);
	}
}

/* Tells why a value can't be encoded. */
static polypack_packing_fault fault_of(const polypack_encoder *encoder, const zval *value)
{
	if (Z_TYPE_P(value) == IS_STRING) {
		bool is_text = encoder->check_utf8 && !encoder->detect_bin && !encoder->force_bin;
		return Z_STRLEN_P(value) <= UINT32_MAX || (is_text && !is_utf8(Z_STR_P(value))) ? POLYPACK_NOT_UTF8 : POLYPACK_TOO_LONG;
	}
	if (Z_TYPE_P(value) == IS_DOUBLE) {
		return POLYPACK_NO_FLOAT32;
	}
	bool is_object = Z_TYPE_P(value) == IS_OBJECT;
	if ((Z_TYPE_P(value) == IS_ARRAY || (is_object && Z_OBJCE_P(value) == zend_standard_class_def)) && !polypack_may_open(encoder)) {
		/* If most_levels is smaller, outer calls have used up C stack. The PHP library needs less of it. */
		return encoder->most_levels < POLYPACK_MAX_DEPTH ? POLYPACK_NEEDS_LIBRARY : POLYPACK_TOO_DEEP;
	}
	return is_object ? POLYPACK_NEEDS_LIBRARY : POLYPACK_UNSUPPORTED;
}

bool polypack_encode_by_asking(polypack_encoder *encoder, zval *value)
{
	if (UNEXPECTED(encoder->packer == NULL) || UNEXPECTED(encoder->shapes != NULL)) {
		if (encoder->throws) {
			polypack_throw_packing_fault(value, encoder->path, fault_of(encoder, value));
		}
		return false;
	}
	zend_string *packed = polypack_pack_inside(encoder->packer, value, encoder->path, encoder->key_depth, encoder->level);
	if (UNEXPECTED(packed == NULL)) {
		return false;
	}
	polypack_reserve(encoder, ZSTR_LEN(packed));
	memcpy(encoder->p, ZSTR_VAL(packed), ZSTR_LEN(packed));
	encoder->p += ZSTR_LEN(packed);
	zend_string_release(packed);
	return true;
}

/* Entry points */

static void choose(polypack_encoder *encoder, zend_long options)
{
	memset(encoder, 0, sizeof(*encoder));
	encoder->key_depth = -1;
	encoder->fixint_end = 0x80;
	encoder->plain_strings = true;
	if (UNEXPECTED(options != 0)) {
		encoder->force_bin = (options & POLYPACK_FORCE_BIN) != 0;
		/* Strict mode packs strings that aren't UTF-8 as bins, because it also unpacks bins as strings. */
		encoder->detect_bin = (options & POLYPACK_DETECT_STR_BIN) != 0 || ((options & POLYPACK_STRICT) != 0 && !encoder->force_bin);
		encoder->check_utf8 = (options & (POLYPACK_STRICT | POLYPACK_LOSSLESS)) != 0;
		encoder->plain_strings = !encoder->force_bin && !encoder->detect_bin && !encoder->check_utf8;
		encoder->force_array = (options & POLYPACK_FORCE_ARR) != 0;
		encoder->force_map = (options & POLYPACK_FORCE_MAP) != 0;
		encoder->force_float32 = (options & POLYPACK_FORCE_FLOAT32) != 0;
		if ((options & POLYPACK_RECORDS_INLINE) != 0) {
			encoder->fixint_end = POLYPACK_FIRST_ID;
		}
	}
}

static zend_string *encode(polypack_encoder *encoder, zval *value)
{
	zend_string *packed = NULL;
	polypack_begin_output(encoder);
	if (EXPECTED(polypack_encode_value(encoder, value))) {
		packed = polypack_end_output(encoder);
		POLYPACK_COUNT(POLYPACK_ENCODED);
	} else if (EG(exception) == NULL) {
		POLYPACK_COUNT(POLYPACK_ENCODE_DECLINED);
	}
	polypack_free_output(encoder);
	if (UNEXPECTED(encoder->shapes != NULL)) {
		polypack_free_shapes(encoder->shapes);
	}
	return packed;
}

PHP_FUNCTION(polypack_encode)
{
	zval *value;
	zend_object *packer;
	zend_long options, depth, max_depth;
	bool has_transformers, is_inside, may_declare = true;
	zend_string *dictionary = NULL;
	zend_long reach = 0;

	ZEND_PARSE_PARAMETERS_START(7, 10)
		Z_PARAM_ZVAL(value)
		Z_PARAM_LONG(options)
		Z_PARAM_LONG(depth)
		Z_PARAM_LONG(max_depth)
		Z_PARAM_BOOL(has_transformers)
		Z_PARAM_BOOL(is_inside)
		Z_PARAM_OBJ_OR_NULL(packer)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(dictionary)
		Z_PARAM_LONG(reach)
		Z_PARAM_BOOL(may_declare)
	ZEND_PARSE_PARAMETERS_END();

	const polypack_class *class = &polypack_known_classes()[POLYPACK_PACKER];
	if (packer != NULL && (UNEXPECTED(class->entry == NULL) || UNEXPECTED(!instanceof_function(packer->ce, class->entry)))) {
		zend_argument_type_error(7, "must be of type ?Polypack\\Packer, %s given", ZSTR_VAL(packer->ce->name));
		RETURN_THROWS();
	}
	if (UNEXPECTED(POLYPACK_G(levels) >= POLYPACK_MAX_LEVELS)) {
		POLYPACK_COUNT(POLYPACK_ENCODE_DECLINED);
		RETURN_NULL();
	}
	polypack_encoder encoder;
	choose(&encoder, options);
	encoder.packer = packer;
	encoder.has_transformers = has_transformers;
	encoder.is_plain_packer = packer == NULL || packer->ce == class->entry;
	encoder.is_inside = is_inside;
	encoder.depth = depth;
	encoder.most_levels = polypack_levels_left(max_depth - depth);
	if (UNEXPECTED(dictionary != NULL)) {
		encoder.fixint_end = POLYPACK_FIRST_ID;
	}
	if (UNEXPECTED((options & POLYPACK_RECORDS_INLINE) != 0 || dictionary != NULL) && !is_inside) {
		encoder.shapes = dictionary == NULL ? polypack_new_shapes()
			: (reach >= 0 && reach <= POLYPACK_MAX_SHAPES ? polypack_new_shared_shapes(dictionary, (uint32_t) reach, may_declare) : NULL);
		if (UNEXPECTED(encoder.shapes == NULL)) {
			POLYPACK_COUNT(POLYPACK_ENCODE_DECLINED);
			RETURN_NULL();
		}
	}
	zend_string *packed = encode(&encoder, value);
	if (EXPECTED(packed != NULL)) {
		RETURN_NEW_STR(packed);
	}
	/* returns null, because C declines or an exception is pending */
}

/* Tells whether PackOptions::fromBitmask() would accept the options. */
static bool are_options(zend_long options)
{
	static const zend_long groups[] = {
		POLYPACK_FORCE_STR | POLYPACK_FORCE_BIN | POLYPACK_DETECT_STR_BIN,
		POLYPACK_FORCE_ARR | POLYPACK_FORCE_MAP | POLYPACK_DETECT_ARR_MAP,
		POLYPACK_FORCE_FLOAT32 | POLYPACK_FORCE_FLOAT64,
		POLYPACK_STRICT | POLYPACK_LOSSLESS,
		POLYPACK_RECORDS_INLINE,
	};
	return polypack_are_options(options, groups, sizeof(groups) / sizeof(*groups));
}

/* Packs a value without a packer. Returns NULL to decline, or with an exception pending. */
static zend_string *pack(zval *value, zend_long options, bool throws)
{
	polypack_encoder encoder;
	choose(&encoder, options);
	encoder.is_plain_packer = true;
	encoder.throws = throws;
	encoder.most_levels = polypack_levels_left(POLYPACK_MAX_DEPTH);
	if (UNEXPECTED((options & POLYPACK_RECORDS_INLINE) != 0)) {
		encoder.shapes = polypack_new_shapes();
	}
	return encode(&encoder, value);
}

/* Encodes a value without a packer, with default limits. Returns null to decline, also if options are invalid. */
PHP_FUNCTION(polypack_encode_message)
{
	zval *value;
	zend_long options = 0;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(options)
	ZEND_PARSE_PARAMETERS_END();

	zend_string *packed = EXPECTED(options == 0) || are_options(options) ? pack(value, options, false) : NULL;
	if (EXPECTED(packed != NULL)) {
		RETURN_NEW_STR(packed);
	}
	/* returns null, because C declines or an exception is pending */
}

zend_string *polypack_pack_value(zval *value, zend_long options)
{
	zval result;
	if (UNEXPECTED(options != 0) && !are_options(options)) {
		if (!polypack_has_library()) {
			polypack_throw_option_fault("PackOptions", options);
			return NULL;
		}
	} else {
		zend_string *packed = pack(value, options, false);
		if (UNEXPECTED(packed == NULL) && EG(exception) == NULL && !polypack_has_library()) {
			packed = pack(value, options, true);
		}
		if (EXPECTED(packed != NULL) || EG(exception) != NULL) {
			return packed;
		}
	}
	ZVAL_UNDEF(&result);
	polypack_call_library("pack", &result, value, options);
	return Z_TYPE(result) == IS_STRING ? Z_STR(result) : NULL;
}

PHP_FUNCTION(polypack_pack)
{
	zval *value;
	zend_long options = 0;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(options)
	ZEND_PARSE_PARAMETERS_END();

	zend_string *packed = polypack_pack_value(value, options);
	if (UNEXPECTED(packed == NULL)) {
		RETURN_THROWS();
	}
	RETURN_STR(packed);
}
