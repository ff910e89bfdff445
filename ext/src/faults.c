/*
 * Throws errors of polypack_pack() and polypack_unpack() if the PHP library isn't installed. The exceptions have the
 * library's classes. Their PHP source is in exceptions.h, and PHP compiles it when a request first needs it. These
 * classes word most error messages. This file words the error for invalid options, and details such as ranges.
 *
 * To find the fault, this file reads a declined message again, and checks it in the order of spec/07-errors.md.
 * Decoder/General.php and Containers.php are the twins. This file can't read records. In lossless mode it can't compare
 * keys that are containers or ext values. If no fault is found, the error says that the library is needed.
 *
 * Plan of the file: the classes; throwing; heads and bytes; keys; containers; values of any kind; values that can't be
 * packed.
 */
#include "../php_polypack.h"
#include "encoder.h"
#include "decoder.h"
#include "exceptions.h"
#include "faults.h"
#include "timestamp.h"
#include "zend_exceptions.h"

typedef struct {
	const uint8_t *begin;
	const uint8_t *p;
	const uint8_t *end;
	zend_long options;
	bool strict;
	bool lossless;
	bool check_utf8;
	uint32_t level;
	uint64_t memory;
	uint32_t keys; /* how many map keys the value is nested in; inside a key, the path isn't extended */
	const polypack_step *path;
} fault_finder;

/* The classes */

bool polypack_has_library(void)
{
	zend_string *name = ZSTR_INIT_LITERAL("Polypack\\MessagePack", 0);
	bool has = zend_lookup_class(name) != NULL;
	zend_string_release(name);
	return has;
}

static zend_class_entry *loaded_class(const char *name)
{
	zend_string *full = zend_string_concat2(ZEND_STRL("Polypack\\Exception\\"), name, strlen(name));
	zend_class_entry *class = zend_lookup_class_ex(full, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);
	zend_string_release(full);
	return class;
}

static zend_class_entry *exception_class(const char *name)
{
	zend_class_entry *class = loaded_class(name);
	for (size_t i = 0; class == NULL && i < sizeof(EXCEPTIONS) / sizeof(*EXCEPTIONS); i++) {
		if (loaded_class(EXCEPTIONS[i].name) == NULL) {
			zend_eval_stringl(EXCEPTIONS[i].source, EXCEPTIONS[i].length, NULL, "polypack");
		}
		class = loaded_class(name);
	}
	return class;
}

static void call_static(const char *name, const char *method, zval *result, uint32_t count, zval *arguments)
{
	zend_class_entry *class = exception_class(name);
	zend_function *function = class == NULL ? NULL : zend_hash_str_find_ptr(&class->function_table, method, strlen(method));
	ZVAL_UNDEF(result);
	if (EXPECTED(function != NULL)) {
		zend_call_known_function(function, NULL, class, result, count, arguments, NULL);
	} else if (EG(exception) == NULL) {
		zend_throw_error(NULL, "the PHP extension polypack and the library polypack/polypack are of different versions");
	}
}

/* Throwing */

static bool throw_made(const char *name, const char *method, uint32_t count, zval *arguments)
{
	zval made;
	call_static(name, method, &made, count, arguments);
	for (uint32_t i = 0; i < count; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
	if (EXPECTED(Z_TYPE(made) == IS_OBJECT)) {
		zend_throw_exception_object(&made);
	} else {
		zval_ptr_dtor(&made);
	}
	return false;
}

static void make_path(zval *to, const polypack_step *path)
{
	zval arguments[3];
	polypack_make_steps(&arguments[0], path);
	ZVAL_LONG(&arguments[1], 0);
	ZVAL_LONG(&arguments[2], zend_hash_num_elements(Z_ARRVAL(arguments[0])));
	call_static("Path", "of", to, 3, arguments);
	zval_ptr_dtor(&arguments[0]);
	if (Z_TYPE_P(to) != IS_STRING) {
		zval_ptr_dtor(to);
		ZVAL_EMPTY_STRING(to);
	}
}

/*
 * Throws an error about the value at `head`, and returns false. A static method of the exception's class makes the
 * exception. The method's arguments are the `count` values at `first`, then the offset and the path.
 */
static bool fault(const fault_finder *finder, const char *name, const char *method, const uint8_t *head, uint32_t count, const zval *first)
{
	zval arguments[5];
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_COPY_VALUE(&arguments[i], &first[i]);
	}
	ZVAL_LONG(&arguments[count], head - finder->begin);
	make_path(&arguments[count + 1], finder->path);
	return throw_made(name, method, count + 2, arguments);
}

static bool unpacking_fault(const fault_finder *finder, const char *method, const uint8_t *head)
{
	return fault(finder, "UnpackingFailedException", method, head, 0, NULL);
}

static bool limit_fault(const fault_finder *finder, const char *method, zend_long limit, const uint8_t *head)
{
	zval argument;
	ZVAL_LONG(&argument, limit);
	return fault(finder, "UnpackingFailedException", method, head, 1, &argument);
}

static bool text_fault(const fault_finder *finder, const char *method, const char *text, const uint8_t *head)
{
	zval argument;
	ZVAL_STRING(&argument, text);
	return fault(finder, "UnpackingFailedException", method, head, 1, &argument);
}

static const char *const FORMATS[] = {
	"nil", "reserved", "false", "true", "bin 8", "bin 16", "bin 32", "ext 8", "ext 16", "ext 32", "float 32", "float 64",
	"uint 8", "uint 16", "uint 32", "uint 64", "int 8", "int 16", "int 32", "int 64",
	"fixext 1", "fixext 2", "fixext 4", "fixext 8", "fixext 16",
	"str 8", "str 16", "str 32", "array 16", "array 32", "map 16", "map 32",
};

static const char *format_at(const uint8_t *head)
{
	if (*head < POLYPACK_FIXARRAY) {
		return "fixmap";
	}
	if (*head < POLYPACK_NIL) {
		return *head < POLYPACK_FIXSTR ? "fixarray" : "fixstr";
	}
	return FORMATS[*head - POLYPACK_NIL];
}

static bool no_value(const fault_finder *finder)
{
	return fault(finder, "InsufficientDataException", "value", finder->p, 0, NULL);
}

static bool no_head(const fault_finder *finder, const uint8_t *head)
{
	zval argument;
	ZVAL_STRING(&argument, format_at(head));
	return fault(finder, "InsufficientDataException", "head", head, 1, &argument);
}

/*
 * Throws unexpected_end, because a value needs more bytes than remain, or a container declares more values than there
 * are bytes. Returns false.
 */
static bool too_short(const fault_finder *finder, const char *method, size_t needed, const uint8_t *head)
{
	zval arguments[3];
	ZVAL_STRING(&arguments[0], format_at(head));
	ZVAL_LONG(&arguments[1], (zend_long) needed);
	ZVAL_LONG(&arguments[2], finder->end - finder->p);
	return fault(finder, "InsufficientDataException", method, head, 3, arguments);
}

/* Throws an error which says that only the library can read the message. Returns false. */
static bool needs_library(const fault_finder *finder, const uint8_t *head)
{
	return unpacking_fault(finder, "needslibrary", head);
}

/* Heads and bytes. The pass_…() functions move past what they have checked, or throw and return false. */

static bool pass_count(fault_finder *finder, const uint8_t *head, size_t width, size_t *count)
{
	return polypack_read_length(&finder->p, finder->end, width, count) || no_head(finder, head);
}

static bool pass_bytes(fault_finder *finder, const uint8_t *head, size_t length, bool is_text)
{
	if (length > (size_t) (finder->end - finder->p)) {
		return too_short(finder, "body", length, head);
	}
	if (is_text && finder->check_utf8 && !polypack_is_utf8(finder->p, length)) {
		return unpacking_fault(finder, "invalidutf8", head);
	}
	finder->p += length;
	return true;
}

static bool pass_number(fault_finder *finder, const uint8_t *head, size_t width)
{
	if ((size_t) (finder->end - finder->p) < width) {
		return no_head(finder, head);
	}
	finder->p += width;
	return true;
}

static bool pay(fault_finder *finder, const uint8_t *head, uint64_t weight)
{
	if (weight > finder->memory) {
		return limit_fault(finder, "memory", POLYPACK_STRICT_MEMORY, head);
	}
	finder->memory -= weight;
	return true;
}

static bool pass_uint64(fault_finder *finder, const uint8_t *head, bool is_key)
{
	const zend_long objects = POLYPACK_BIGINT_AS_GMP | POLYPACK_BIGINT_AS_DEC | POLYPACK_BIGINT_AS_BCMATH;
	if (!pass_number(finder, head, 8)) {
		return false;
	}
	uint64_t number = polypack_read64(head + 1);
	if (number <= INT64_MAX) {
		return true;
	}
	if ((finder->options & POLYPACK_BIGINT_THROW) != 0 && !finder->lossless) {
		zval digits;
		ZVAL_STR(&digits, polypack_digits(number));
		return fault(finder, "UnpackingFailedException", "bigint", head, 1, &digits);
	}
	return is_key || !(finder->lossless || (finder->options & objects) != 0) || pay(finder, head, POLYPACK_OBJECT_WEIGHT);
}

static bool pass_timestamp(fault_finder *finder, const uint8_t *head, const uint8_t *data, size_t length)
{
	zend_long seconds, nanoseconds;
	char why[80];
	if (polypack_split_timestamp(data, length, &seconds, &nanoseconds)) {
		return true;
	}
	if (length != 8 && length != 12) {
		snprintf(why, sizeof(why), "has %zu bytes, not 4, 8 or 12", length);
	} else {
		snprintf(why, sizeof(why), "has " ZEND_LONG_FMT " nanoseconds, more than 999999999", nanoseconds);
	}
	return text_fault(finder, "invalidtimestamp", why, head);
}

static bool pass_ext(fault_finder *finder, const uint8_t *head)
{
	size_t length;
	if (*head >= POLYPACK_FIXEXT1) {
		length = (size_t) 1 << (*head - POLYPACK_FIXEXT1);
	} else if (!pass_count(finder, head, (size_t) 1 << (*head - POLYPACK_EXT8), &length)) {
		return false;
	}
	if (finder->p == finder->end) {
		return no_head(finder, head);
	}
	int type = (int8_t) *finder->p++;
	const uint8_t *data = finder->p;
	if (!pass_bytes(finder, head, length, false)) {
		return false;
	}
	if (type == POLYPACK_EXT_RECORD && (length == 1 || length == 2)) {
		return (finder->options & POLYPACK_RECORDS_INLINE) != 0 ? needs_library(finder, head) : unpacking_fault(finder, "recordsareoff", head);
	}
	return pay(finder, head, POLYPACK_OBJECT_WEIGHT) && (type != POLYPACK_EXT_TIMESTAMP || pass_timestamp(finder, head, data, length));
}

/* Keys */

static bool pass_value(fault_finder *finder, size_t owed);

/* Returns the family, such as "float", of a key that PHP arrays can't have. Returns NULL for other heads. */
static const char *family_of_no_key(uint8_t head)
{
	if (head >= POLYPACK_FIXMAP && head < POLYPACK_FIXSTR) {
		return head < POLYPACK_FIXARRAY ? "map" : "array";
	}
	switch (head) {
		case POLYPACK_NIL:
			return "nil";
		case POLYPACK_FALSE:
		case POLYPACK_TRUE:
			return "bool";
		case POLYPACK_FLOAT32:
		case POLYPACK_FLOAT64:
			return "float";
		case POLYPACK_ARRAY16:
		case POLYPACK_ARRAY32:
			return "array";
		case POLYPACK_MAP16:
		case POLYPACK_MAP32:
			return "map";
		default:
			return (head >= POLYPACK_EXT8 && head <= POLYPACK_EXT32) || (head >= POLYPACK_FIXEXT1 && head <= POLYPACK_FIXEXT16) ? "ext" : NULL;
	}
}

static bool refuse_key(fault_finder *finder, const uint8_t *head, const char *family)
{
	static const uint8_t widths[] = {1, 2, 4};
	size_t width = *head <= POLYPACK_EXT32 && *head >= POLYPACK_EXT8 ? widths[*head - POLYPACK_EXT8] : 0;
	if (family[0] == 'e' && (size_t) (finder->end - head) < width + 2) {
		return no_head(finder, head); /* a head that is cut off is reported first */
	}
	return text_fault(finder, "invalidkey", family, head);
}

/*
 * Sets `step` to the key at `head`, which has just been read. Leaves `step` unchanged if the key isn't an int, str or
 * bin. Sets `shown` to the string in the step, if the step has one. Returns a text that is equal for equal keys and
 * different for different keys, or NULL for containers and ext values. The caller releases both strings.
 */
static zend_string *key_of(const fault_finder *finder, const uint8_t *head, polypack_step *step, zend_string **shown)
{
	uint64_t bits = 0;
	zend_ulong index;
	const uint8_t *at = head + 1;
	char digits[MAX_LENGTH_OF_LONG + 1];
	if (*head < 0x80 || *head >= POLYPACK_NEGATIVE_FIXINT) {
		polypack_step_to_number(step, (int8_t) *head);
	} else if (*head >= POLYPACK_UINT8 && *head <= POLYPACK_INT64) {
		polypack_read_int(&at, finder->end, *head, &bits);
		if (*head == POLYPACK_UINT64 && bits > INT64_MAX) {
			*shown = polypack_digits(bits);
			polypack_step_to_name(step, *shown);
			return finder->lossless ? zend_strpprintf(0, "i%s", ZSTR_VAL(*shown)) : zend_string_copy(*shown);
		}
		polypack_step_to_number(step, (zend_long) bits);
	} else {
		bool is_bin = *head >= POLYPACK_BIN8 && *head <= POLYPACK_BIN32;
		size_t width = 0;
		if (is_bin) {
			width = (size_t) 1 << (*head - POLYPACK_BIN8);
		} else if (*head >= POLYPACK_STR8 && *head <= POLYPACK_STR32) {
			width = (size_t) 1 << (*head - POLYPACK_STR8);
		} else if (*head == POLYPACK_FLOAT32 || *head == POLYPACK_FLOAT64) {
			char bytes[POLYPACK_MAX_HEAD]; /* as float 64, because a float 32 with the same number is the same key */
			double number = *head == POLYPACK_FLOAT32 ? (double) polypack_read_float32(at) : polypack_read_float64(at);
			return zend_string_init(bytes, (size_t) (polypack_write_float64(bytes, number) - bytes), 0);
		} else if (*head == POLYPACK_NIL || *head == POLYPACK_FALSE || *head == POLYPACK_TRUE) {
			return zend_string_init((const char *) head, 1, 0);
		} else if (*head < POLYPACK_FIXSTR || *head >= POLYPACK_NIL) {
			return NULL;
		}
		const char *text = (const char *) at + width;
		size_t length = (size_t) (finder->p - at) - width;
		if (is_bin) {
			*shown = zend_string_alloc(2 + 2 * length, 0);
			memcpy(ZSTR_VAL(*shown), "0x", 2);
			for (size_t i = 0; i < length; i++) {
				snprintf(ZSTR_VAL(*shown) + 2 + 2 * i, 3, "%02x", (uint8_t) text[i]);
			}
			ZSTR_VAL(*shown)[2 + 2 * length] = '\0';
		} else {
			*shown = zend_string_init(text, length, 0);
		}
		polypack_step_to_name(step, *shown);
		if (finder->lossless) {
			return zend_string_concat2(is_bin ? "b" : "s", 1, text, length);
		}
		if (length == 0 || !ZEND_HANDLE_NUMERIC_STR(text, length, index)) {
			return zend_string_init(text, length, 0);
		}
		return zend_long_to_str((zend_long) index);
	}
	snprintf(digits, sizeof(digits), ZEND_LONG_FMT, step->key.number);
	return finder->lossless ? zend_strpprintf(0, "i%s", digits) : zend_string_init(digits, strlen(digits), 0);
}

/* Checks a key and moves past it. Errors in a key have the path of the map. */
static bool pass_key(fault_finder *finder, size_t owed)
{
	const uint8_t *head = finder->p;
	if (finder->p == finder->end) {
		return no_value(finder);
	}
	if (finder->lossless) {
		finder->keys++;
		bool is_good = pass_value(finder, owed);
		finder->keys--;
		return is_good;
	}
	const char *family = family_of_no_key(*head);
	if (family != NULL) {
		return refuse_key(finder, head, family);
	}
	if (*head == POLYPACK_UINT64) {
		finder->p++;
		return pass_uint64(finder, head, true);
	}
	return pass_value(finder, 0);
}

/* Containers */

static bool pass_elements(fault_finder *finder, size_t count, size_t owed)
{
	polypack_step step = {.around = finder->path, .kind = POLYPACK_STEP_NUMBER};
	bool is_good = true;
	if (finder->keys == 0) {
		finder->path = &step;
	}
	for (size_t i = 0; i < count && is_good; i++) {
		step.key.number = (zend_long) i;
		is_good = pass_value(finder, owed + count - i - 1);
	}
	finder->path = step.around;
	return is_good;
}

static bool pass_entry(fault_finder *finder, zend_array *seen, size_t index, size_t owed)
{
	polypack_step step = {.around = finder->path, .kind = POLYPACK_STEP_ENTRY};
	const uint8_t *head = finder->p;
	zend_string *shown = NULL;
	if (!pass_key(finder, owed + 1)) {
		return false;
	}
	step.key.number = (zend_long) index;
	zend_string *key = key_of(finder, head, &step, &shown);
	if (finder->keys == 0) {
		finder->path = &step;
	}
	bool is_new = key == NULL || zend_hash_add_empty_element(seen, key) != NULL;
	bool is_good = is_new || !finder->check_utf8 ? pass_value(finder, owed) : unpacking_fault(finder, "duplicatekey", head);
	finder->path = step.around;
	if (shown != NULL) {
		zend_string_release(shown);
	}
	if (key != NULL) {
		zend_string_release(key);
	}
	return is_good;
}

static bool pass_entries(fault_finder *finder, size_t count, size_t owed)
{
	zend_array *seen = zend_new_array(0);
	bool is_good = true;
	for (size_t i = 0; i < count && is_good; i++) {
		is_good = pass_entry(finder, seen, i, owed + 2 * (count - i - 1));
	}
	zend_array_release(seen);
	return is_good;
}

static bool pass_container(fault_finder *finder, const uint8_t *head, size_t count, size_t owed, bool is_map)
{
	size_t children = is_map ? 2 * count : count;
	if (finder->level >= POLYPACK_MAX_DEPTH) {
		return limit_fault(finder, "depth", POLYPACK_MAX_DEPTH, head);
	}
	if (children + owed > (size_t) (finder->end - finder->p)) {
		return too_short(finder, "children", children + owed, head);
	}
	uint64_t entry = POLYPACK_ENTRY_WEIGHT + (finder->lossless ? POLYPACK_PAIR_WEIGHT : 0);
	uint64_t weight = is_map ? POLYPACK_MAP_WEIGHT + entry * count : POLYPACK_ARRAY_WEIGHT + POLYPACK_ELEMENT_WEIGHT * (uint64_t) count;
	if (count > 0 && !pay(finder, head, weight)) {
		return false;
	}
	if (is_map && count > POLYPACK_FREE_ENTRIES && (uint64_t) count * (count - 1) / 2 > POLYPACK_MAX_COLLISIONS) {
		return needs_library(finder, head); /* only the library counts which keys share a bucket */
	}
	finder->level++;
	bool is_good = is_map ? pass_entries(finder, count, owed) : pass_elements(finder, count, owed);
	finder->level--;
	return is_good;
}

/* Values of any kind */

/* Checks a value whose head byte has been read, and is 0xc0 to 0xdf. Moves past the value. */
static bool pass_long_head(fault_finder *finder, const uint8_t *head, size_t owed)
{
	size_t length;
	switch (*head) {
		case POLYPACK_NIL:
		case POLYPACK_FALSE:
		case POLYPACK_TRUE:
			return true;
		case POLYPACK_RESERVED:
			return unpacking_fault(finder, "reservedbyte", head);
		case POLYPACK_BIN8:
		case POLYPACK_BIN16:
		case POLYPACK_BIN32:
			return pass_count(finder, head, (size_t) 1 << (*head - POLYPACK_BIN8), &length) && pass_bytes(finder, head, length, false)
				&& (!finder->lossless || pay(finder, head, POLYPACK_OBJECT_WEIGHT));
		case POLYPACK_STR8:
		case POLYPACK_STR16:
		case POLYPACK_STR32:
			return pass_count(finder, head, (size_t) 1 << (*head - POLYPACK_STR8), &length) && pass_bytes(finder, head, length, true);
		case POLYPACK_FLOAT32:
			return pass_number(finder, head, 4);
		case POLYPACK_FLOAT64:
			return pass_number(finder, head, 8);
		case POLYPACK_UINT64:
			return pass_uint64(finder, head, false);
		case POLYPACK_ARRAY16:
		case POLYPACK_ARRAY32:
		case POLYPACK_MAP16:
		case POLYPACK_MAP32:
			return pass_count(finder, head, (*head & 1) == 0 ? 2 : 4, &length)
				&& pass_container(finder, head, length, owed, *head >= POLYPACK_MAP16);
		default:
			return *head <= POLYPACK_EXT32 || *head >= POLYPACK_FIXEXT1 ? pass_ext(finder, head)
				: pass_number(finder, head, (size_t) 1 << (*head & 3));
	}
}

static bool pass_value(fault_finder *finder, size_t owed)
{
	const uint8_t *head = finder->p;
	if (head == finder->end) {
		return no_value(finder);
	}
	finder->p++;
	if (*head < 0x80) {
		return (finder->options & POLYPACK_RECORDS_INLINE) == 0 || *head < POLYPACK_FIRST_ID || !finder->strict || needs_library(finder, head);
	}
	if (*head >= POLYPACK_NEGATIVE_FIXINT) {
		return true;
	}
	if (*head >= POLYPACK_NIL) {
		return pass_long_head(finder, head, owed);
	}
	return *head >= POLYPACK_FIXSTR ? pass_bytes(finder, head, *head & 0x1f, true)
		: pass_container(finder, head, *head & 0x0f, owed, *head < POLYPACK_FIXARRAY);
}

void polypack_throw_unpacking_fault(zend_string *packed, zend_long options)
{
	fault_finder finder = {.begin = (const uint8_t *) ZSTR_VAL(packed), .options = options};
	finder.p = finder.begin;
	finder.end = finder.begin + ZSTR_LEN(packed);
	finder.strict = (options & POLYPACK_STRICT) != 0;
	finder.lossless = (options & POLYPACK_LOSSLESS) != 0;
	finder.check_utf8 = finder.strict || finder.lossless;
	finder.memory = finder.strict ? POLYPACK_STRICT_MEMORY : ZEND_LONG_MAX;
	if (polypack_levels_left(POLYPACK_MAX_DEPTH) < POLYPACK_MAX_DEPTH) {
		needs_library(&finder, finder.begin); /* nested calls have used up much of the C stack */
		return;
	}
	if (!pass_value(&finder, 0)) {
		return;
	}
	if (finder.p < finder.end) {
		polypack_throw_trailing_data((size_t) (finder.p - finder.begin), (size_t) (finder.end - finder.p));
	} else {
		needs_library(&finder, finder.begin);
	}
}

void polypack_throw_trailing_data(size_t offset, size_t length)
{
	zval arguments[2];
	ZVAL_LONG(&arguments[0], (zend_long) offset);
	ZVAL_LONG(&arguments[1], (zend_long) length);
	throw_made("UnpackingFailedException", "trailingdata", 2, arguments);
}

/* Values that can't be packed */

void polypack_throw_packing_fault(zval *value, const polypack_step *path, polypack_packing_fault fault)
{
	const char *method;
	uint32_t count = 0; /* number of arguments before the path */
	zval arguments[4];
	switch (fault) {
		case POLYPACK_NOT_UTF8:
			method = "invalidutf8";
			break;
		case POLYPACK_TOO_LONG:
			method = "outofrange";
			path = NULL; /* the library reports this fault without a path, too */
			ZVAL_STRING(&arguments[count++], "the length");
			ZVAL_LONG(&arguments[count++], (zend_long) Z_STRLEN_P(value));
			ZVAL_STRING(&arguments[count++], "0 to 4294967295");
			break;
		case POLYPACK_NO_FLOAT32:
			method = "outofrange";
			ZVAL_STRING(&arguments[count++], "the float");
			ZVAL_COPY(&arguments[count++], value);
			ZVAL_STRING(&arguments[count++], "within ±3.4028235677973366e38 to fit float 32");
			break;
		case POLYPACK_TOO_DEEP:
			method = "depth";
			ZVAL_LONG(&arguments[count++], POLYPACK_MAX_DEPTH);
			break;
		default:
			method = fault == POLYPACK_NEEDS_LIBRARY ? "needslibrary" : "unsupportedvalue";
			ZVAL_COPY(&arguments[count++], value);
			break;
	}
	make_path(&arguments[count], path);
	throw_made("PackingFailedException", method, count + 1, arguments);
}

void polypack_throw_option_fault(const char *class, zend_long options)
{
	zend_class_entry *entry = exception_class("InvalidOptionException");
	if (entry != NULL) {
		zend_throw_exception_ex(entry, 0, "the options 0x%" PRIx64 " aren't constants of Polypack\\%s, or some of them exclude each other",
			(uint64_t) options, class);
	}
}
