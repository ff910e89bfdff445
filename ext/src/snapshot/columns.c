/*
 * Chooses how a column of cells is written (spec/10-snapshot.md#columns). The choice depends on the cells, on the
 * option `floats`, and on how many values may still take less than a byte each. php/src/Snapshot/Column.php and
 * IntColumn.php are the twins.
 *
 * Plan of the file: flat arrays; constants; ints; bools; floats; strings; the choice.
 */
#include "writer.h"
#include "../reader.h"

#include <math.h>

/* Flat arrays */

bool snapshot_is_flat(snapshot_writer *writer, const zend_array *array)
{
	zval *element;
	if (zend_hash_num_elements(array) > SNAPSHOT_MOST_SHARED) {
		return false;
	}
	ZEND_HASH_FOREACH_VAL((zend_array *) array, element) {
		const zval *value = snapshot_plain(writer, element);
		switch (Z_TYPE_P(value)) {
			case IS_NULL:
			case IS_FALSE:
			case IS_TRUE:
			case IS_LONG:
			case IS_STRING:
				break;
			case IS_OBJECT:
				if (snapshot_is_case(value)) {
					break;
				}
				return false;
			default: /* a float, an array, a resource, or a reference that the snapshot keeps */
				return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

/*
 * Tells whether two values are equal nulls, bools, ints or strings, or the same object. Values of other types count as
 * different.
 */
static zend_always_inline bool is_same_value(const zval *one, const zval *other)
{
	if (Z_TYPE_P(one) != Z_TYPE_P(other)) {
		return false;
	}
	switch (Z_TYPE_P(one)) {
		case IS_LONG:
			return Z_LVAL_P(one) == Z_LVAL_P(other);
		case IS_STRING:
			return Z_STR_P(one) == Z_STR_P(other) || (Z_STRLEN_P(one) == Z_STRLEN_P(other)
				&& polypack_equal(Z_STRVAL_P(one), Z_STRVAL_P(other), Z_STRLEN_P(one)));
		case IS_OBJECT:
			return Z_OBJ_P(one) == Z_OBJ_P(other);
		default:
			return Z_TYPE_P(one) <= IS_TRUE;
	}
}

/* Tells whether an array has the same keys and values as a flat array, in the same order. */
bool snapshot_is_same(snapshot_writer *writer, const zend_array *flat, const zend_array *array)
{
	if (flat == array) {
		return true;
	}
	uint32_t count = zend_hash_num_elements(flat);
	if (count != zend_hash_num_elements(array)) {
		return false;
	}
	if (HT_IS_PACKED(flat) && HT_IS_PACKED(array) && HT_IS_WITHOUT_HOLES(flat) && HT_IS_WITHOUT_HOLES(array)) {
		for (uint32_t i = 0; i < count; i++) {
			if (!is_same_value(snapshot_plain(writer, flat->arPacked + i), snapshot_plain(writer, array->arPacked + i))) {
				return false;
			}
		}
		return true;
	}
	HashPosition one = 0, other = 0;
	for (;;) {
		zval *a, *b;
		zend_string *name, *other_name;
		zend_ulong number, other_number;
		a = zend_hash_get_current_data_ex((zend_array *) flat, &one);
		b = zend_hash_get_current_data_ex((zend_array *) array, &other);
		if (a == NULL || b == NULL) {
			return a == b;
		}
		int type = zend_hash_get_current_key_ex(flat, &name, &number, &one);
		if (type != zend_hash_get_current_key_ex(array, &other_name, &other_number, &other)) {
			return false;
		}
		if (type == HASH_KEY_IS_STRING ? !zend_string_equals(name, other_name) : number != other_number) {
			return false;
		}
		if (!is_same_value(snapshot_plain(writer, a), snapshot_plain(writer, b))) {
			return false;
		}
		zend_hash_move_forward_ex((zend_array *) flat, &one);
		zend_hash_move_forward_ex((zend_array *) array, &other);
	}
}

/* Constants */

static bool choose_constant(snapshot_writer *writer, snapshot_column *column)
{
	const zval *cells = column->cells;
	const zval *first = cells;
	zend_ulong each = 1;
	if (Z_TYPE_P(first) == IS_ARRAY) {
		const zend_array *flat = Z_ARR_P(first);
		if (column->count > 1 && Z_TYPE(cells[1]) != IS_ARRAY) {
			return false;
		}
		if (!snapshot_is_flat(writer, flat)) {
			return false;
		}
		for (uint32_t i = 1; i < column->count; i++) {
			if (Z_TYPE(cells[i]) != IS_ARRAY || !snapshot_is_same(writer, flat, Z_ARR(cells[i]))) {
				return false;
			}
		}
		each += zend_hash_num_elements(flat);
	} else {
		if (Z_TYPE_P(first) == IS_DOUBLE || (Z_TYPE_P(first) == IS_OBJECT && !snapshot_is_case(first)) || Z_TYPE_P(first) > IS_OBJECT) {
			return false;
		}
		for (uint32_t i = 1; i < column->count; i++) {
			if (!is_same_value(first, &cells[i])) {
				return false;
			}
		}
	}
	column->kind = SNAPSHOT_CONSTANT;
	column->charge = column->count * each;
	return true;
}

/* The ints of a column are its cells, or for decimals its cells times 10^digits. */

typedef struct {
	int64_t least;
	int64_t most;
	int64_t before;
	int64_t least_delta;
	int64_t most_delta;
	uint32_t count;
} int_range;

static zend_always_inline void add_int(int_range *range, int64_t n)
{
	if (UNEXPECTED(range->count++ == 0)) {
		range->least = range->most = range->before = n;
		range->least_delta = INT64_MAX;
		range->most_delta = INT64_MIN;
		return;
	}
	/* An overflow does no harm: the range of the ints is then so large that choose_ints() doesn't compare deltas. */
	int64_t delta = (int64_t) ((uint64_t) n - (uint64_t) range->before);
	range->before = n;
	range->least = n < range->least ? n : range->least;
	range->most = n > range->most ? n : range->most;
	range->least_delta = delta < range->least_delta ? delta : range->least_delta;
	range->most_delta = delta > range->most_delta ? delta : range->most_delta;
}

/* Chooses ints or deltas, and returns how many bytes the cells take, without the head of the column. */
static uint64_t choose_ints(snapshot_column *column, const int_range *range)
{
	uint32_t count = range->count;
	uint64_t width = snapshot_width((uint64_t) range->most - (uint64_t) range->least);
	column->kind = SNAPSHOT_INTS;
	column->is_deltas = false;
	column->least = range->least;
	column->range = (uint64_t) range->most - (uint64_t) range->least;
	if (width > SNAPSHOT_MOST_BITS) {
		column->base = 0;
		column->width = 64;
		return 8 * (uint64_t) count;
	}
	uint64_t bytes = snapshot_bit_bytes(count, (uint32_t) width);
	column->base = range->least;
	column->width = (uint8_t) width;
	if (count > 2) {
		uint32_t delta_width = snapshot_width((uint64_t) range->most_delta - (uint64_t) range->least_delta);
		uint64_t delta_bytes = snapshot_bit_bytes(count - 1, delta_width);
		if (delta_width <= SNAPSHOT_MOST_BITS && delta_bytes + SNAPSHOT_DELTAS_GAIN < bytes) {
			column->kind = SNAPSHOT_DELTAS;
			column->is_deltas = true;
			column->base = range->least_delta;
			column->width = (uint8_t) delta_width;
			bytes = delta_bytes;
		}
	}
	column->charge = column->width < 8 ? count : 0;
	return bytes;
}

static bool scan_ints(snapshot_column *column)
{
	int_range range;
	range.count = 0;
	const zval *end = column->cells + column->count;
	for (const zval *cell = column->cells; cell < end; cell++) {
		if (EXPECTED(Z_TYPE_P(cell) == IS_LONG)) {
			add_int(&range, Z_LVAL_P(cell));
		} else if (Z_TYPE_P(cell) != IS_NULL) {
			return false;
		}
	}
	column->present = range.count;
	choose_ints(column, &range);
	return true;
}

/* Bools */

static bool scan_bools(snapshot_column *column)
{
	const zval *end = column->cells + column->count;
	for (const zval *cell = column->cells; cell < end; cell++) {
		if (Z_TYPE_P(cell) == IS_FALSE || Z_TYPE_P(cell) == IS_TRUE) {
			column->present++;
		} else if (Z_TYPE_P(cell) != IS_NULL) {
			return false;
		}
	}
	column->kind = SNAPSHOT_BOOLS;
	column->charge = column->present;
	return true;
}

/* Floats */

/*
 * Finds the fewest decimal digits with which each cell is exactly an integer divided by 10^digits. Returns false if no
 * number of digits is enough, if an integer gets too large, or if a cell is -0.0.
 */
static bool find_digits(const snapshot_column *column, uint8_t *digits)
{
	const double limit = (double) (UINT64_C(1) << SNAPSHOT_DECIMAL_BITS);
	const zval *end = column->cells + column->count;
	uint8_t d = 0;
	double most = 0.0;
	for (const zval *cell = column->cells; cell < end; cell++) {
		if (Z_TYPE_P(cell) == IS_NULL) {
			continue;
		}
		double number = Z_DVAL_P(cell);
		if (!(fabs(number) * SNAPSHOT_TENS[d] < limit) || (number == 0.0 && signbit(number))) {
			return false;
		}
		most = fabs(number) > most ? fabs(number) : most;
		while ((double) snapshot_whole(number, SNAPSHOT_TENS[d]) / SNAPSHOT_TENS[d] != number) {
			if (++d > SNAPSHOT_MOST_DIGITS || !(fabs(number) * SNAPSHOT_TENS[d] < limit)) {
				return false;
			}
		}
		if (!(most * SNAPSHOT_TENS[d] < limit)) {
			return false;
		}
	}
	*digits = d;
	return true;
}

static bool scan_floats(snapshot_writer *writer, snapshot_column *column)
{
	const zval *end = column->cells + column->count;
	for (const zval *cell = column->cells; cell < end; cell++) {
		if (EXPECTED(Z_TYPE_P(cell) == IS_DOUBLE)) {
			column->present++;
		} else if (Z_TYPE_P(cell) != IS_NULL) {
			return false;
		}
	}
	uint8_t digits;
	if (writer->floats != SNAPSHOT_FLOATS_RAW && find_digits(column, &digits)) {
		int_range range;
		range.count = 0;
		for (const zval *cell = column->cells; cell < end; cell++) {
			if (Z_TYPE_P(cell) != IS_NULL) {
				add_int(&range, snapshot_whole(Z_DVAL_P(cell), SNAPSHOT_TENS[digits]));
			}
		}
		uint64_t bytes = choose_ints(column, &range);
		if (writer->floats == SNAPSHOT_FLOATS_DECIMAL ? bytes < 8 * (uint64_t) column->present : 2 * bytes <= 8 * (uint64_t) column->present) {
			column->kind = SNAPSHOT_DECIMALS;
			column->digits = digits;
			return true;
		}
	}
	column->kind = SNAPSHOT_DOUBLES;
	column->charge = 0;
	return true;
}

/* Strings */

/*
 * Returns the cell with the index `wanted` among the cells that aren't null. Searches from `from` on. `*at` is how many
 * cells before `from` aren't null, and is set to `wanted`. If no cell of the column is null, `from` and `at` aren't
 * used.
 */
static const zval *present_cell(const snapshot_column *column, const zval *from, uint32_t *at, uint32_t wanted)
{
	if (column->present == column->count) {
		return column->cells + wanted;
	}
	for (;; from++) {
		if (Z_TYPE_P(from) != IS_NULL) {
			if (*at == wanted) {
				return from;
			}
			(*at)++;
		}
	}
}

static bool repeats(const snapshot_column *column)
{
	const zend_string *sample[SNAPSHOT_SAMPLE];
	uint32_t sampled = column->present < SNAPSHOT_SAMPLE ? column->present : SNAPSHOT_SAMPLE;
	uint32_t at = 0;
	const zval *cell = column->cells;
	for (uint32_t i = 0; i < sampled; i++) {
		cell = present_cell(column, cell, &at, (uint32_t) ((uint64_t) i * column->present / sampled));
		sample[i] = Z_STR_P(cell);
		for (uint32_t j = 0; j < i; j++) {
			if (sample[j] == sample[i] || (ZSTR_LEN(sample[j]) == ZSTR_LEN(sample[i])
				&& polypack_equal(ZSTR_VAL(sample[j]), ZSTR_VAL(sample[i]), ZSTR_LEN(sample[i])))) {
				return true;
			}
		}
	}
	return false;
}

#define CHOICE_PLACES 1024

static uint32_t choice_place(const snapshot_writer *writer, const zend_string *string)
{
	return ZSTR_LEN(string) == 0 ? 0 : (uint32_t) snapshot_hash(writer, string) & (CHOICE_PLACES - 1);
}

/* Lists the distinct strings, and notes for each cell which of them it has. Returns false if they are more than 256. */
static bool number_choices(snapshot_writer *writer, snapshot_column *column)
{
	uint16_t *places = ecalloc(CHOICE_PLACES, sizeof(*places)); /* hash table: numbers of choices plus 1; 0 if free */
	column->numbers = safe_emalloc(column->present, 1, 0);
	column->choices = safe_emalloc(SNAPSHOT_MOST_CHOICES, sizeof(*column->choices), 0);
	column->choices_count = 0;
	const zval *end = column->cells + column->count;
	uint8_t *number = column->numbers;
	bool fits = true;
	for (const zval *cell = column->cells; cell < end; cell++) {
		if (Z_TYPE_P(cell) == IS_NULL) {
			continue;
		}
		zend_string *string = Z_STR_P(cell);
		uint32_t place = choice_place(writer, string);
		for (; places[place] != 0; place = (place + 1) & (CHOICE_PLACES - 1)) {
			zend_string *choice = column->choices[places[place] - 1];
			if (choice == string || (ZSTR_LEN(choice) == ZSTR_LEN(string) && polypack_equal(ZSTR_VAL(choice), ZSTR_VAL(string), ZSTR_LEN(string)))) {
				break;
			}
		}
		if (places[place] == 0) {
			if (column->choices_count == SNAPSHOT_MOST_CHOICES) {
				fits = false;
				break;
			}
			column->choices[column->choices_count++] = string;
			places[place] = (uint16_t) column->choices_count;
		}
		*number++ = (uint8_t) (places[place] - 1);
	}
	efree(places);
	return fits;
}

static bool scan_strings(snapshot_writer *writer, snapshot_column *column)
{
	const zval *end = column->cells + column->count;
	for (const zval *cell = column->cells; cell < end; cell++) {
		if (EXPECTED(Z_TYPE_P(cell) == IS_STRING)) {
			size_t length = Z_STRLEN_P(cell);
			column->present++;
			column->bytes += length;
			column->longest = length > column->longest ? length : column->longest;
		} else if (Z_TYPE_P(cell) != IS_NULL) {
			return false;
		}
	}
	if (column->present < SNAPSHOT_LEAST_STRINGS || column->longest > UINT32_MAX) {
		return false;
	}
	column->width = column->longest > 0xff ? (column->longest > 0xffff ? 4 : 2) : 1;
	column->kind = SNAPSHOT_STRINGS;
	if (repeats(column) && number_choices(writer, column)) {
		zend_ulong chosen = column->present;
		for (uint32_t i = 0; i < column->choices_count; i++) {
			chosen += 2 + ZSTR_LEN(column->choices[i]);
		}
		if (chosen < column->present * (zend_ulong) column->width + column->bytes) {
			column->kind = SNAPSHOT_CHOICES;
		}
	}
	return true;
}

/* The choice */

static bool scan(snapshot_writer *writer, snapshot_column *column)
{
	const zval *cell = column->cells, *end = cell + column->count;
	while (cell < end && Z_TYPE_P(cell) == IS_NULL) {
		cell++;
	}
	if (cell == end) {
		return false;
	}
	switch (Z_TYPE_P(cell)) {
		case IS_LONG:
			return scan_ints(column);
		case IS_STRING:
			return scan_strings(writer, column);
		case IS_DOUBLE:
			return scan_floats(writer, column);
		case IS_FALSE:
		case IS_TRUE:
			return scan_bools(column);
		default:
			return false;
	}
}

/*
 * Tells whether any cell is a reference that the snapshot keeps, or an array that isn't flat. Such an array may contain
 * a reference.
 */
static bool is_referring(snapshot_writer *writer, const snapshot_column *column)
{
	for (uint32_t i = 0; i < column->count; i++) {
		const zval *cell = &column->cells[i];
		if (Z_TYPE_P(cell) == IS_REFERENCE || (Z_TYPE_P(cell) == IS_ARRAY && !snapshot_is_flat(writer, Z_ARR_P(cell)))) {
			return true;
		}
	}
	return false;
}

static void become_mixed(snapshot_column *column)
{
	column->kind = SNAPSHOT_MIXED;
	column->is_nullable = false;
	column->charge = 0;
}

static void widen(snapshot_column *column)
{
	uint32_t width = snapshot_width(column->range);
	column->kind = column->kind == SNAPSHOT_DECIMALS ? SNAPSHOT_DECIMALS : SNAPSHOT_INTS;
	column->is_deltas = false;
	column->base = column->least;
	column->width = (uint8_t) (width < 8 ? 8 : width);
	column->charge = 0;
}

void snapshot_choose(snapshot_writer *writer, snapshot_column *column, const zval *cells, uint32_t count, zend_ulong most)
{
	memset(column, 0, sizeof(*column));
	column->cells = cells;
	column->count = count;
	if (UNEXPECTED(writer->walk != 0) && is_referring(writer, column)) {
		return;
	}
	if (!choose_constant(writer, column)) {
		if (!scan(writer, column)) {
			become_mixed(column);
			return;
		}
		if (column->present != count) {
			column->is_nullable = true;
			column->charge += count;
		}
	}
	if (UNEXPECTED(column->charge > most)) {
		bool has_ints = column->kind == SNAPSHOT_INTS || column->kind == SNAPSHOT_DELTAS || column->kind == SNAPSHOT_DECIMALS;
		if (has_ints && !column->is_nullable) {
			widen(column);
		} else {
			become_mixed(column);
		}
	}
}

void snapshot_choose_keys(snapshot_writer *writer, snapshot_column *column, const zval *keys, uint32_t count, zend_ulong most)
{
	memset(column, 0, sizeof(*column));
	column->cells = keys;
	column->count = count;
	bool is_chosen = Z_TYPE_P(keys) == IS_LONG ? scan_ints(column) : scan_strings(writer, column);
	if (!is_chosen || column->charge > most) {
		become_mixed(column);
	}
}

void snapshot_free_column(snapshot_column *column)
{
	if (column->numbers != NULL) {
		efree(column->numbers);
		efree(column->choices);
		column->numbers = NULL;
	}
}
