/*
 * Writes the canonical form C1 of a message (spec/08-canonical.md), in one pass and without making PHP arrays or
 * objects. Canonical.php of the library is the twin.
 *
 * Plan of the file: sorting; numbers, text and ext values; containers; entry point.
 *
 * The entries of a map are written in the order in which they are read. If their keys turn out not to be sorted,
 * put_in_order() appends a sorted copy of the entries to the output, and then moves the copy to their place.
 *
 * C declines faulty messages and a few uncommon ones. The PHP library then reads the message again from its start, and
 * throws if the message is faulty. C can decline at any point, because canonicalizing runs no user code.
 */
#include "decoder.h"
#include "encoder.h"
#include "timestamp.h"
#include <math.h>

/* An entry of a map that is being written. A record is written as a map. */
typedef struct {
	uint64_t prefix; /* first 8 bytes of the written key, as a big-endian number; zeros follow a shorter key */
	size_t start;    /* offset of the entry in the output */
	size_t key;      /* length of the written key, in bytes */
	size_t length;
} canonical_entry;

typedef struct {
	polypack_decoder in;
	polypack_encoder out;
	bool folds_floats;  /* floats whose value is a whole number from -2^63 to 2^64 - 1 become ints */
	size_t names;       /* bytes left for map heads and names of records (spec/06-limits.md#names-of-records) */
	canonical_entry *entries; /* entries of all open maps, those of the innermost map last */
	size_t used;
	size_t capacity;
} canonicalizer;

static bool write_value(canonicalizer *form, size_t owed);

static size_t position(const canonicalizer *form)
{
	return (size_t) (form->out.p - form->out.base);
}

/* Sorting */

static void reserve_entries(canonicalizer *form, size_t count)
{
	if (form->capacity - form->used < count) {
		size_t capacity = 2 * form->capacity > form->used + count ? 2 * form->capacity : form->used + count;
		form->entries = safe_erealloc(form->entries, capacity, sizeof(*form->entries), 0);
		form->capacity = capacity;
	}
}

static uint64_t prefix_of(const char *key, size_t length)
{
	uint8_t bytes[8] = {0};
	memcpy(bytes, key, length < 8 ? length : 8);
	return polypack_read64(bytes);
}

static int compare(const canonicalizer *form, const canonical_entry *one, const canonical_entry *other)
{
	if (EXPECTED(one->prefix != other->prefix)) {
		return one->prefix < other->prefix ? -1 : 1;
	}
	int order = memcmp(form->out.base + one->start, form->out.base + other->start, one->key < other->key ? one->key : other->key);
	return order != 0 ? order : (one->key > other->key) - (one->key < other->key);
}

static void merge(const canonicalizer *form, canonical_entry *to, const canonical_entry *one, const canonical_entry *middle, const canonical_entry *end)
{
	const canonical_entry *other = middle;
	while (one < middle && other < end) {
		*to++ = compare(form, one, other) <= 0 ? *one++ : *other++;
	}
	while (one < middle) {
		*to++ = *one++;
	}
	while (other < end) {
		*to++ = *other++;
	}
}

/* Sorts entries by merging. Quicksort could take n² steps if a hostile sender chose the order of the keys. */
static void sort(const canonicalizer *form, canonical_entry *entries, size_t count, canonical_entry *spare)
{
	enum { RUN = 8 };
	for (size_t begin = 0; begin < count; begin += RUN) {
		size_t end = count - begin < RUN ? count : begin + RUN;
		for (size_t i = begin + 1; i < end; i++) {
			canonical_entry entry = entries[i];
			size_t at = i;
			for (; at > begin && compare(form, &entries[at - 1], &entry) > 0; at--) {
				entries[at] = entries[at - 1];
			}
			entries[at] = entry;
		}
	}
	for (size_t run = RUN; run < count; run *= 2) {
		for (size_t begin = 0; begin < count; begin += 2 * run) {
			size_t middle = count - begin < run ? count : begin + run;
			size_t end = count - begin < 2 * run ? count : begin + 2 * run;
			merge(form, spare + begin, entries + begin, entries + middle, entries + end);
		}
		memcpy(entries, spare, count * sizeof(*entries));
	}
}

/*
 * Sorts the last `count` entries by their keys, both in form->entries and in the output. Returns false if two keys are
 * equal.
 */
static bool put_in_order(canonicalizer *form, size_t count)
{
	reserve_entries(form, count);
	canonical_entry *entries = form->entries + form->used - count;
	size_t begin = entries[0].start, length = position(form) - begin;
	sort(form, entries, count, entries + count);
	polypack_reserve(&form->out, length);
	char *to = form->out.p;
	for (size_t i = 0; i < count; i++) {
		if (UNEXPECTED(i > 0) && UNEXPECTED(compare(form, &entries[i - 1], &entries[i]) == 0)) {
			return false;
		}
		memcpy(to, form->out.base + entries[i].start, entries[i].length);
		to += entries[i].length;
	}
	memcpy(form->out.base + begin, form->out.p, length);
	return true;
}

/* Numbers, text and ext values */

static void write_float(canonicalizer *form, double number)
{
	polypack_encoder *out = &form->out;
	if (form->folds_floats && number == floor(number) && number >= -9223372036854775808.0 && number < 18446744073709551616.0) {
		if (number < 9223372036854775808.0) {
			out->p = polypack_write_int(out->p, (int64_t) number, 0x80);
		} else {
			out->p = polypack_write64(out->p, POLYPACK_UINT64, (uint64_t) number);
		}
	} else {
		out->p = polypack_write_float64(out->p, number);
	}
}

static bool write_number(canonicalizer *form, uint8_t head)
{
	polypack_decoder *in = &form->in;
	polypack_encoder *out = &form->out;
	uint64_t bits;
	in->p++;
	if (head == POLYPACK_FLOAT32 || head == POLYPACK_FLOAT64) {
		size_t width = head == POLYPACK_FLOAT32 ? 4 : 8;
		if ((size_t) (in->end - in->p) < width) {
			return false;
		}
		write_float(form, width == 4 ? polypack_read_float32(in->p) : polypack_read_float64(in->p));
		in->p += width;
		return true;
	}
	if (!polypack_read_int(&in->p, in->end, head, &bits)) {
		return false;
	}
	if (head == POLYPACK_UINT64 && bits > INT64_MAX) {
		out->p = polypack_write64(out->p, POLYPACK_UINT64, bits);
		return polypack_weigh(in, POLYPACK_OBJECT_WEIGHT);
	}
	out->p = polypack_write_int(out->p, (int64_t) bits, 0x80);
	return true;
}

static void write_bytes(canonicalizer *form, const char *bytes, size_t length)
{
	polypack_reserve(&form->out, length);
	form->out.p = polypack_write_bytes(form->out.p, bytes, length);
}

static void write_text(canonicalizer *form, const char *bytes, size_t length)
{
	polypack_reserve(&form->out, length + POLYPACK_MAX_HEAD);
	form->out.p = polypack_write_bytes(polypack_write_str(form->out.p, length), bytes, length);
}

static bool write_bin(canonicalizer *form, uint8_t head)
{
	polypack_decoder *in = &form->in;
	size_t length;
	in->p++;
	if (!polypack_read_length(&in->p, in->end, (size_t) 1 << (head - POLYPACK_BIN8), &length) || length > (size_t) (in->end - in->p)
		|| !polypack_weigh(in, POLYPACK_OBJECT_WEIGHT)) {
		return false;
	}
	form->out.p = polypack_write_bin(form->out.p, length);
	write_bytes(form, (const char *) in->p, length);
	in->p += length;
	return true;
}

static bool write_map(canonicalizer *form, const polypack_shape *shape, size_t count, size_t owed);

/* Writes a record as a map. */
static bool write_record(canonicalizer *form, const polypack_shape *shape, size_t owed)
{
	if (shape == NULL) {
		return false;
	}
	char head[POLYPACK_MAX_HEAD];
	size_t length = (size_t) (polypack_write_map(head, shape->count) - head);
	for (uint32_t i = 0; i < shape->count; i++) {
		size_t name = ZSTR_LEN(shape->names[i]);
		length += name + (size_t) (polypack_write_str(head, name) - head);
	}
	if (length > form->names) {
		return false;
	}
	form->names -= length;
	return write_map(form, shape, shape->count, owed);
}

static bool write_ext(canonicalizer *form, size_t owed)
{
	polypack_decoder *in = &form->in;
	const uint8_t *head = in->p;
	int type;
	size_t length;
	if (!polypack_read_ext(&in->p, in->end, &type, &length)) {
		return false;
	}
	if (type == POLYPACK_EXT_RECORD && (length == 1 || length == 2)) {
		return write_record(form, polypack_read_declaration(in, head, length, owed), owed);
	}
	const uint8_t *data = in->p;
	in->p += length;
	if (!polypack_weigh(in, POLYPACK_OBJECT_WEIGHT)) {
		return false;
	}
	if (type == POLYPACK_EXT_TIMESTAMP) {
		zend_long seconds, nanoseconds;
		if (!polypack_split_timestamp(data, length, &seconds, &nanoseconds)) {
			return false;
		}
		form->out.p = polypack_write_timestamp(form->out.p, seconds, nanoseconds);
	} else {
		form->out.p = polypack_write_ext(form->out.p, type, length);
		write_bytes(form, (const char *) data, length);
	}
	return true;
}

/* Containers */

static bool write_array(canonicalizer *form, size_t count, size_t owed)
{
	polypack_decoder *in = &form->in;
	if (!polypack_open(in, count, owed)
		|| (count > 0 && !polypack_weigh(in, POLYPACK_ARRAY_WEIGHT + POLYPACK_ELEMENT_WEIGHT * (uint64_t) count))) {
		return false;
	}
	form->out.p = polypack_write_array(form->out.p, (uint32_t) count);
	in->level++;
	for (size_t left = count; left > 0; left--) {
		if (UNEXPECTED(!write_value(form, owed + left - 1))) {
			return false;
		}
	}
	in->level--;
	return true;
}

/* Writes the entries of a map or record. For a record, `shape` has the keys. For a map, it is NULL. */
static bool write_entries(canonicalizer *form, const polypack_shape *shape, size_t count, size_t owed)
{
	size_t children = shape != NULL ? 1 : 2;
	bool is_sorted = true;
	for (size_t i = 0; i < count; i++) {
		reserve_entries(form, 1);
		size_t at = form->used++;
		canonical_entry entry = {.start = position(form)};
		if (shape != NULL) {
			write_text(form, ZSTR_VAL(shape->names[i]), ZSTR_LEN(shape->names[i]));
		} else if (UNEXPECTED(!write_value(form, owed + 2 * (count - i) - 1))) {
			return false;
		}
		entry.key = position(form) - entry.start;
		entry.prefix = prefix_of(form->out.base + entry.start, entry.key);
		if (i > 0 && is_sorted) {
			int order = compare(form, &form->entries[at - 1], &entry);
			if (UNEXPECTED(order == 0)) {
				return false;
			}
			is_sorted = order < 0;
		}
		if (UNEXPECTED(!write_value(form, owed + children * (count - i - 1)))) {
			return false;
		}
		entry.length = position(form) - entry.start;
		form->entries[at] = entry;
	}
	return is_sorted || put_in_order(form, count);
}

/* Writes a map, or a record as a map. The caller has checked the limits and updated what is left of them. */
static bool write_map(canonicalizer *form, const polypack_shape *shape, size_t count, size_t owed)
{
	polypack_reserve(&form->out, POLYPACK_MAX_HEAD);
	form->out.p = polypack_write_map(form->out.p, (uint32_t) count);
	form->in.level++;
	if (UNEXPECTED(!write_entries(form, shape, count, owed))) {
		return false;
	}
	form->in.level--;
	form->used -= count;
	return true;
}

static bool write_container(canonicalizer *form, size_t owed)
{
	polypack_decoder *in = &form->in;
	uint8_t head = *in->p++;
	size_t count = head & 0x0f;
	if (head >= POLYPACK_ARRAY16 && !polypack_read_length(&in->p, in->end, (head & 1) == 0 ? 2 : 4, &count)) {
		return false;
	}
	if (head < POLYPACK_FIXARRAY || head >= POLYPACK_MAP16) {
		return polypack_open(in, 2 * count, owed) && (count == 0 || polypack_pay_for_map(in, count)) && write_map(form, NULL, count, owed);
	}
	return write_array(form, count, owed);
}

static bool write_value(canonicalizer *form, size_t owed)
{
	polypack_decoder *in = &form->in;
	const uint8_t *bytes;
	size_t length;
	if (UNEXPECTED(in->p >= in->end)) {
		return false;
	}
	polypack_reserve(&form->out, POLYPACK_MAX_HEAD);
	uint8_t head = *in->p;
	if (head >= POLYPACK_NIL && head < POLYPACK_NEGATIVE_FIXINT) {
		if (head >= POLYPACK_STR8 && head <= POLYPACK_MAP32) {
			if (head >= POLYPACK_ARRAY16) {
				return write_container(form, owed);
			}
		} else if (head == POLYPACK_NIL || head == POLYPACK_FALSE || head == POLYPACK_TRUE) {
			*form->out.p++ = (char) head;
			in->p++;
			return true;
		} else if (head >= POLYPACK_FLOAT32 && head <= POLYPACK_INT64) {
			return write_number(form, head);
		} else if (head >= POLYPACK_BIN8 && head <= POLYPACK_BIN32) {
			return write_bin(form, head);
		} else {
			return head != POLYPACK_RESERVED && write_ext(form, owed);
		}
	} else if (head < POLYPACK_FIXMAP || head >= POLYPACK_NEGATIVE_FIXINT) {
		if (UNEXPECTED(head >= in->fixint_end) && head < POLYPACK_FIXMAP && polypack_starts_instance(in, head)) {
			return write_record(form, polypack_read_instance(in, owed), owed);
		}
		*form->out.p++ = (char) head;
		in->p++;
		return true;
	} else if (head < POLYPACK_FIXSTR) {
		return write_container(form, owed);
	}
	if (UNEXPECTED(!polypack_read_str(in, &bytes, &length))) {
		return false;
	}
	write_text(form, (const char *) bytes, length);
	return true;
}

/* Entry point */

PHP_FUNCTION(polypack_canonicalize)
{
	zend_string *packed, *dictionary;
	zend_long options, max_depth, max_values, max_bytes, memory;
	bool any_values, folds_floats;

	ZEND_PARSE_PARAMETERS_START(8, 8)
		Z_PARAM_STR(packed)
		Z_PARAM_LONG(options)
		Z_PARAM_LONG(max_depth)
		Z_PARAM_LONG_OR_NULL(max_values, any_values)
		Z_PARAM_LONG(max_bytes)
		Z_PARAM_LONG(memory)
		Z_PARAM_BOOL(folds_floats)
		Z_PARAM_STR_OR_NULL(dictionary)
	ZEND_PARSE_PARAMETERS_END();

	canonicalizer *form = ecalloc(1, sizeof(canonicalizer));
	polypack_decoder *in = &form->in;
	polypack_choose_decoding(in, options);
	bool has_records = dictionary != NULL || (options & POLYPACK_RECORDS_INLINE) != 0;
	bool is_good = !has_records || polypack_choose_records(in, dictionary);
	in->p = (const uint8_t *) ZSTR_VAL(packed);
	in->end = in->p + ZSTR_LEN(packed);
	in->most_levels = polypack_levels_left(max_depth);
	in->comparisons = UINT64_MAX; /* no limit, because keys are sorted rather than hashed */
	in->sorts_keys = true;
	in->memory = memory > 0 ? (uint64_t) memory : 0;
	if (!any_values) {
		in->budget = (zend_ulong) (max_values - 1); /* minus 1 for the top value itself */
	}
	form->names = max_bytes <= 0 ? 0 : ((size_t) max_bytes < POLYPACK_MAX_NAME_BYTES ? (size_t) max_bytes : POLYPACK_MAX_NAME_BYTES);
	form->folds_floats = folds_floats;
	polypack_begin_output(&form->out);
	if (EXPECTED(is_good) && EXPECTED(write_value(form, 0)) && EXPECTED(in->p == in->end)) {
		RETVAL_NEW_STR(polypack_end_output(&form->out));
		POLYPACK_COUNT(POLYPACK_CANONICALIZED);
	} else {
		RETVAL_NULL();
		POLYPACK_COUNT(POLYPACK_CANONICALIZE_DECLINED);
	}
	polypack_free_output(&form->out);
	if (in->declarations != NULL) {
		polypack_free_declarations(in->declarations);
	}
	if (form->entries != NULL) {
		efree(form->entries);
	}
	efree(form);
}
