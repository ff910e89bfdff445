/*
 * Decodes messages (spec/02-wire.md). Decoder/General.php and Containers.php of the library are the twins.
 *
 * Plan of the file: strings; arrays; values of any kind; entry points. The most common values are in decoder_common.h,
 * maps in decoder_map.c and lossless.c, ext values in extension.c, and records in records/.
 *
 * The decoder detects faults, but doesn't throw errors for them. The PHP library throws the errors. If the library
 * isn't installed, faults.c throws them. Bytes are read only after a check that enough of them remain.
 */
#include "decoder_common.h"
#include "encoder.h"
#include "faults.h"
#include "lossless.h"

/* Strings */

bool polypack_read_str(polypack_decoder *decoder, const uint8_t **bytes, size_t *length)
{
	if (UNEXPECTED(decoder->p >= decoder->end)) {
		return false;
	}
	uint8_t head = *decoder->p;
	if (EXPECTED((head & 0xe0) == POLYPACK_FIXSTR)) {
		*length = head & 0x1f;
		decoder->p++;
		if (UNEXPECTED(*length > (size_t) (decoder->end - decoder->p))) {
			return false;
		}
	} else if (head >= POLYPACK_STR8 && head <= POLYPACK_STR32) {
		decoder->p++;
		if (UNEXPECTED(!polypack_read_body(decoder, (size_t) 1 << (head - POLYPACK_STR8), length))) {
			return false;
		}
	} else {
		return false;
	}
	*bytes = decoder->p;
	decoder->p += *length;
	return EXPECTED(!decoder->check_utf8) || polypack_is_utf8(*bytes, *length);
}

/* Arrays */

/* Decodes consecutive float 64 values into the elements from `to` on. Returns the first element that it hasn't set. */
static zval *decode_floats(polypack_decoder *decoder, zval *to, const zval *stop)
{
	const uint8_t *p = decoder->p;
	const uint8_t *last = decoder->end - 9;
	while (to < stop && p <= last && *p == POLYPACK_FLOAT64) {
		ZVAL_DOUBLE(to, polypack_read_float64(p + 1));
		p += 9;
		to++;
	}
	decoder->p = p;
	return to;
}

static bool decode_elements(polypack_decoder *decoder, zend_array *array, uint32_t count, size_t owed)
{
	polypack_step step = {.around = decoder->path, .kind = POLYPACK_STEP_NUMBER};
	uint32_t i = 0;
	bool is_good = true;
	decoder->path = &step;
	while (i < count) {
		if (UNEXPECTED(i == array->nTableSize)) {
			array->nNumUsed = array->nNumOfElements = i;
			zend_hash_extend(array, i < count / 2 ? 2 * i : count, true);
		}
		zval *begin = array->arPacked, *to = begin + i;
		zval *stop = begin + (count < array->nTableSize ? count : array->nTableSize);
		while (to < stop) {
			if (EXPECTED(polypack_decode_common(decoder, to))) {
				if (Z_TYPE_P(to++) == IS_DOUBLE) {
					to = decode_floats(decoder, to, stop);
				}
				continue;
			}
			i = (uint32_t) (to - begin);
			step.key.number = i;
			if (UNEXPECTED(!polypack_decode_value(decoder, to, owed + (count - i - 1)))) {
				is_good = false;
				count = i + 1;
				stop = NULL;
			}
			to++;
		}
		i = (uint32_t) (to - begin);
	}
	array->nNumUsed = array->nNumOfElements = count;
	array->nNextFreeElement = count;
	decoder->path = step.around;
	return is_good;
}

ZEND_COLD bool polypack_refuse(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t owed)
{
	return decoder->has_asked && polypack_decode_by_asking(decoder, to, head, owed);
}

static bool decode_array(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t count, size_t owed)
{
	ZVAL_EMPTY_ARRAY(to);
	if (UNEXPECTED(!polypack_open(decoder, count, owed))) {
		return polypack_refuse(decoder, to, head, owed);
	}
	if (count == 0) {
		return true;
	}
	if (UNEXPECTED(!polypack_weigh(decoder, POLYPACK_ARRAY_WEIGHT + POLYPACK_ELEMENT_WEIGHT * (uint64_t) count))) {
		return polypack_refuse(decoder, to, head, owed);
	}
	size_t taken;
	zend_array *array = zend_new_array(polypack_promise_elements(decoder, count, &taken));
	zend_hash_real_init_packed(array);
	ZVAL_ARR(to, array);
	decoder->level++;
	bool is_good = decode_elements(decoder, array, (uint32_t) count, owed);
	decoder->level--;
	decoder->element_promises += taken;
	decoder->promises += taken;
	return is_good;
}

/* Values of any kind */

/*
 * Lets the unpacker decode the value at `head`. If decoding the value may run user code, the caller has checked
 * may_ask. Returns false if there is no unpacker, or if decoding fails.
 */
static bool ask(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t owed)
{
	const uint8_t *begin = (const uint8_t *) ZSTR_VAL(decoder->buffer);
	size_t offset = (size_t) (head - begin);
	if (decoder->unpacker == NULL) {
		return false;
	}
	size_t promises = POLYPACK_G(promises);
	POLYPACK_G(promises) = decoder->promises;
	bool is_good = polypack_unpack_inside(to, decoder->unpacker, decoder->buffer, decoder->start, &offset, decoder->path, owed,
		&decoder->comparisons, &decoder->memory, decoder->level);
	POLYPACK_G(promises) = promises;
	decoder->p = begin + offset;
	return is_good;
}

static bool decode_big_int(polypack_decoder *decoder, zval *to, uint64_t number, const uint8_t *head, size_t owed)
{
	if (decoder->lossless) {
		return polypack_weigh(decoder, POLYPACK_OBJECT_WEIGHT) && polypack_new_uint64(to, number);
	}
	if ((decoder->options & POLYPACK_BIGINT_THROW) != 0) {
		return false;
	}
	if ((decoder->options & POLYPACK_BIGINT_AS_FLOAT) != 0) {
		ZVAL_DOUBLE(to, (double) number);
		return true;
	}
	if ((decoder->options & (POLYPACK_BIGINT_AS_GMP | POLYPACK_BIGINT_AS_DEC | POLYPACK_BIGINT_AS_BCMATH)) != 0) {
		return ask(decoder, to, head, owed); /* the unpacker makes a GMP, Decimal or BcMath object, without user code */
	}
	ZVAL_STR(to, polypack_digits(number));
	return true;
}

static bool decode_bytes(polypack_decoder *decoder, zval *to, size_t length, bool is_bin)
{
	const uint8_t *bytes = decoder->p;
	if (UNEXPECTED(length > (size_t) (decoder->end - bytes))) {
		return false;
	}
	if (is_bin) {
		if (decoder->lossless) {
			decoder->p += length;
			return polypack_weigh(decoder, POLYPACK_OBJECT_WEIGHT)
				&& polypack_new_bin(to, zend_string_init((const char *) bytes, length, 0));
		}
	} else if (decoder->check_utf8 && !polypack_is_utf8(bytes, length)) {
		return false;
	}
	decoder->p += length;
	polypack_set_string(to, bytes, length);
	return true;
}

/* Decodes a value whose head byte has been read, and is 0xc0 to 0xdf. */
static bool decode_long_head(polypack_decoder *decoder, zval *to, uint8_t head, size_t owed)
{
	const uint8_t *begin = decoder->p - 1;
	size_t length;
	uint64_t bits;
	switch (head) {
		case POLYPACK_NIL:
			return true;
		case POLYPACK_RESERVED:
			return false;
		case POLYPACK_FALSE:
			ZVAL_FALSE(to);
			return true;
		case POLYPACK_TRUE:
			ZVAL_TRUE(to);
			return true;
		case POLYPACK_BIN8:
		case POLYPACK_BIN16:
		case POLYPACK_BIN32:
			return polypack_read_body(decoder, (size_t) 1 << (head - POLYPACK_BIN8), &length) && decode_bytes(decoder, to, length, true);
		case POLYPACK_STR8:
		case POLYPACK_STR16:
		case POLYPACK_STR32:
			return polypack_read_body(decoder, (size_t) 1 << (head - POLYPACK_STR8), &length) && decode_bytes(decoder, to, length, false);
		case POLYPACK_FLOAT32:
			if (decoder->end - decoder->p < 4) {
				return false;
			}
			ZVAL_DOUBLE(to, polypack_read_float32(decoder->p));
			decoder->p += 4;
			return true;
		case POLYPACK_FLOAT64:
			if (decoder->end - decoder->p < 8) {
				return false;
			}
			ZVAL_DOUBLE(to, polypack_read_float64(decoder->p));
			decoder->p += 8;
			return true;
		case POLYPACK_ARRAY16:
		case POLYPACK_ARRAY32:
			return polypack_read_length(&decoder->p, decoder->end, head == POLYPACK_ARRAY16 ? 2 : 4, &length)
				&& decode_array(decoder, to, begin, length, owed);
		case POLYPACK_MAP16:
		case POLYPACK_MAP32:
			return polypack_read_length(&decoder->p, decoder->end, head == POLYPACK_MAP16 ? 2 : 4, &length)
				&& polypack_decode_map(decoder, to, begin, length, owed);
		default:
			if (head <= POLYPACK_EXT32 || head >= POLYPACK_FIXEXT1) {
				decoder->p = begin;
				return polypack_decode_ext(decoder, to, owed);
			}
			if (!polypack_read_int(&decoder->p, decoder->end, head, &bits)) {
				return false;
			}
			if (head == POLYPACK_UINT64 && bits > INT64_MAX) {
				return decode_big_int(decoder, to, bits, begin, owed);
			}
			ZVAL_LONG(to, (zend_long) bits);
			return true;
	}
}

bool polypack_decode_value(polypack_decoder *decoder, zval *to, size_t owed)
{
	ZVAL_NULL(to);
	if (UNEXPECTED(decoder->p >= decoder->end)) {
		return false;
	}
	uint8_t head = *decoder->p;
	if (UNEXPECTED(head >= decoder->fixint_end && head < 0x80)) {
		return polypack_decode_instance(decoder, to, owed);
	}
	decoder->p++;
	if (head < 0x80 || head >= POLYPACK_NEGATIVE_FIXINT) {
		ZVAL_LONG(to, (int8_t) head);
		return true;
	}
	if (head >= POLYPACK_NIL) {
		return decode_long_head(decoder, to, head, owed);
	}
	if (head >= POLYPACK_FIXSTR) {
		return decode_bytes(decoder, to, head & 0x1f, false);
	}
	return head < POLYPACK_FIXARRAY ? polypack_decode_map(decoder, to, decoder->p - 1, head & 0x0f, owed)
		: decode_array(decoder, to, decoder->p - 1, head & 0x0f, owed);
}

bool polypack_decode_by_asking(polypack_decoder *decoder, zval *to, const uint8_t *head, size_t owed)
{
	if (!decoder->may_ask) {
		return false;
	}
	decoder->has_asked = true;
	return ask(decoder, to, head, owed);
}

/* Entry points */

void polypack_choose_decoding(polypack_decoder *decoder, zend_long options)
{
	memset(decoder, 0, sizeof(*decoder));
	decoder->options = options;
	decoder->strict = (options & POLYPACK_STRICT) != 0;
	decoder->lossless = (options & POLYPACK_LOSSLESS) != 0;
	decoder->check_utf8 = decoder->strict || decoder->lossless;
	decoder->fixint_end = 0x80;
	decoder->element_promises = POLYPACK_ELEMENT_PROMISES;
	decoder->budget = ZEND_ULONG_MAX;
	decoder->comparisons = POLYPACK_MAX_COLLISIONS;
	decoder->memory = decoder->strict ? POLYPACK_STRICT_MEMORY : ZEND_LONG_MAX;
	decoder->keys = POLYPACK_G(keys);
}

bool polypack_choose_records(polypack_decoder *decoder, zend_string *dictionary)
{
	decoder->fixint_end = POLYPACK_FIRST_ID;
	decoder->declarations = polypack_new_declarations(dictionary);
	return decoder->declarations != NULL;
}

/* Decodes the value at the offset, and moves the offset past the value. On failure, `to` is null. */
static bool decode(polypack_decoder *decoder, zval *to, zend_string *buffer, size_t *offset)
{
	decoder->buffer = zend_string_copy(buffer); /* held, because user code may give the unpacker another buffer */
	decoder->start = *offset;
	decoder->p = (const uint8_t *) ZSTR_VAL(buffer) + *offset;
	decoder->end = (const uint8_t *) ZSTR_VAL(buffer) + ZSTR_LEN(buffer);
	size_t length = ZSTR_LEN(buffer) - *offset;
	size_t promises = length < POLYPACK_LONG ? POLYPACK_PROMISES : length * POLYPACK_PROMISES_OF_A_BYTE;
	decoder->promises = UNEXPECTED(decoder->is_inside) && promises > POLYPACK_G(promises) ? POLYPACK_G(promises) : promises;
	bool is_good = polypack_decode_value(decoder, to, 0);
	if (EXPECTED(is_good) && UNEXPECTED(EG(exception) != NULL)) {
		is_good = false;
	}
	if (EXPECTED(is_good)) {
		*offset = (size_t) (decoder->p - (const uint8_t *) ZSTR_VAL(buffer));
		POLYPACK_COUNT(POLYPACK_DECODED);
	} else {
		zval_ptr_dtor(to);
		ZVAL_NULL(to);
		if (EG(exception) == NULL) {
			if (decoder->has_asked) {
				polypack_fail_inside(decoder->unpacker, buffer, *offset);
			} else {
				POLYPACK_COUNT(POLYPACK_DECODE_DECLINED);
			}
		}
	}
	if (UNEXPECTED(decoder->declarations != NULL)) {
		polypack_free_declarations(decoder->declarations);
	}
	zend_string_release(decoder->buffer);
	return is_good;
}

PHP_FUNCTION(polypack_decode)
{
	zend_string *buffer;
	zval *offset;
	zend_object *unpacker;
	zend_long options, ground, max_depth, max_values, max_bytes, comparisons, memory;
	bool any_values;
	HashTable *extensions;
	zend_string *dictionary = NULL;

	ZEND_PARSE_PARAMETERS_START(11, 12)
		Z_PARAM_STR(buffer)
		Z_PARAM_ZVAL(offset)
		Z_PARAM_LONG(options)
		Z_PARAM_LONG(ground)
		Z_PARAM_LONG(max_depth)
		Z_PARAM_LONG_OR_NULL(max_values, any_values)
		Z_PARAM_LONG(max_bytes)
		Z_PARAM_LONG(comparisons)
		Z_PARAM_LONG(memory)
		Z_PARAM_ARRAY_HT(extensions)
		Z_PARAM_OBJ_OR_NULL(unpacker)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(dictionary)
	ZEND_PARSE_PARAMETERS_END();

	const polypack_class *class = &polypack_known_classes()[POLYPACK_UNPACKER];
	if (unpacker != NULL && (UNEXPECTED(class->entry == NULL) || UNEXPECTED(!instanceof_function(unpacker->ce, class->entry)))) {
		zend_argument_type_error(11, "must be of type ?Polypack\\BufferUnpacker, %s given", ZSTR_VAL(unpacker->ce->name));
		RETURN_THROWS();
	}
	zval *number = Z_ISREF_P(offset) ? Z_REFVAL_P(offset) : offset;
	if (UNEXPECTED(Z_TYPE_P(number) != IS_LONG) || UNEXPECTED(Z_LVAL_P(number) < 0) || UNEXPECTED((size_t) Z_LVAL_P(number) > ZSTR_LEN(buffer))) {
		zend_argument_value_error(2, "must be an offset in the buffer");
		RETURN_THROWS();
	}
	polypack_decoder decoder;
	polypack_choose_decoding(&decoder, options);
	bool has_records = dictionary != NULL || (options & POLYPACK_RECORDS_INLINE) != 0;
	if (EXPECTED(POLYPACK_G(levels) < POLYPACK_MAX_LEVELS) && (EXPECTED(!has_records) || polypack_choose_records(&decoder, dictionary))) {
		decoder.is_inside = ground > 0;
		decoder.most_levels = polypack_levels_left(max_depth - ground);
		if (!any_values) {
			decoder.budget = (zend_ulong) (max_values - 1); /* minus 1 for the top value itself */
		}
		decoder.comparisons = comparisons > 0 ? (uint64_t) comparisons : 0;
		decoder.memory = memory > 0 ? (uint64_t) memory : 0;
		decoder.extensions = zend_hash_num_elements(extensions) > 0 ? extensions : NULL;
		decoder.unpacker = unpacker;
		decoder.may_ask = unpacker != NULL && decoder.declarations == NULL && !decoder.lossless && any_values;
		size_t at = (size_t) Z_LVAL_P(number);
		if (EXPECTED(decode(&decoder, return_value, buffer, &at))) {
			/* The library passes a local variable as `offset`, so user code can't have changed it meanwhile. */
			ZEND_TRY_ASSIGN_REF_LONG(offset, (zend_long) at);
			if (UNEXPECTED(ground > 0) && unpacker != NULL) {
				polypack_leave_inside(unpacker, decoder.comparisons, decoder.memory);
			}
			return;
		}
		if (EG(exception) != NULL) {
			RETURN_THROWS();
		}
	} else {
		POLYPACK_COUNT(POLYPACK_DECODE_DECLINED);
	}
	if (unpacker != NULL) {
		RETURN_OBJ_COPY(unpacker);
	}
	RETURN_NULL();
}

/*
 * Tells whether UnpackOptions::fromBitmask() would accept the options. Also returns false if the library is installed
 * and only the library can tell.
 */
static bool are_options(zend_long options)
{
	/* These options need a class of another PHP extension. Only the library checks whether PHP has the class. */
	if (UNEXPECTED((options & (POLYPACK_BIGINT_AS_GMP | POLYPACK_BIGINT_AS_DEC | POLYPACK_BIGINT_AS_BCMATH)) != 0) && polypack_has_library()) {
		return false;
	}
	static const zend_long groups[] = {
		POLYPACK_BIGINT_AS_STR | POLYPACK_BIGINT_AS_GMP | POLYPACK_BIGINT_AS_DEC | POLYPACK_BIGINT_AS_BCMATH
			| POLYPACK_BIGINT_AS_FLOAT | POLYPACK_BIGINT_THROW | POLYPACK_LOSSLESS,
		POLYPACK_STRICT | POLYPACK_LOSSLESS,
		POLYPACK_RECORDS_INLINE,
	};
	return polypack_are_options(options, groups, sizeof(groups) / sizeof(*groups));
}

/* Decodes bytes that must be exactly one value, without an unpacker. On failure, `to` is null. */
static bool unpack(zval *to, zend_string *packed, zend_long options)
{
	polypack_decoder decoder;
	size_t end = 0;
	polypack_choose_decoding(&decoder, options);
	if (UNEXPECTED((options & POLYPACK_RECORDS_INLINE) != 0)) {
		polypack_choose_records(&decoder, NULL);
	}
	decoder.most_levels = polypack_levels_left(POLYPACK_MAX_DEPTH);
	if (EXPECTED(decode(&decoder, to, packed, &end)) && EXPECTED(end == ZSTR_LEN(packed))) {
		return true;
	}
	zval_ptr_dtor(to);
	ZVAL_NULL(to);
	return false;
}

/*
 * Decodes bytes that must be exactly one value, with default limits. Returns null to decline, also if options are
 * invalid. The library calls the function only for arrays and maps, because they never become null.
 */
PHP_FUNCTION(polypack_decode_message)
{
	zend_string *packed;
	zend_long options = 0;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(packed)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(options)
	ZEND_PARSE_PARAMETERS_END();

	if (EXPECTED(options == 0) || are_options(options)) {
		unpack(return_value, packed, options);
	} else {
		POLYPACK_COUNT(POLYPACK_DECODE_DECLINED);
	}
}

bool polypack_unpack_value(zval *to, zend_string *packed, zend_long options)
{
	bool are_known = EXPECTED(options == 0) || are_options(options);
	if (EXPECTED(are_known)) {
		bool is_good = unpack(to, packed, options);
		if (EXPECTED(is_good) || EG(exception) != NULL) {
			return is_good;
		}
	}
	if (!polypack_has_library()) {
		if (are_known) {
			polypack_throw_unpacking_fault(packed, options);
		} else {
			polypack_throw_option_fault("UnpackOptions", options);
		}
		return false;
	}
	zval value;
	ZVAL_STR(&value, packed);
	ZVAL_UNDEF(to);
	polypack_call_library("unpack", to, &value, options);
	return EG(exception) == NULL;
}

PHP_FUNCTION(polypack_unpack)
{
	zend_string *packed;
	zend_long options = 0;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(packed)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(options)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(!polypack_unpack_value(return_value, packed, options))) {
		ZVAL_NULL(return_value);
	}
}
