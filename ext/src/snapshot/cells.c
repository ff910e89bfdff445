/*
 * Reads columns (spec/10-snapshot.md#columns). snapshot_read_column() reads the head of a column, and checks that the
 * bytes of its cells are there. But the cells of a mixed column come later, and the callers read them.
 * snapshot_fill_cells() and snapshot_next_cell() decode all other cells straight into the caller's memory, such as
 * rows. php/src/Snapshot/ColumnReader.php is the twin.
 *
 * Plan of the file: heads; cells; many cells at once.
 */
#include "reader.h"

/* Heads */

/* Sets `bytes` to the next `length` bytes and moves past them. Returns false if fewer remain. */
static bool take(snapshot_reader *reader, uint64_t length, const uint8_t **bytes)
{
	if (UNEXPECTED(length > snapshot_left(reader))) {
		return false;
	}
	*bytes = reader->p;
	reader->p += length;
	return true;
}

static bool take_byte(snapshot_reader *reader, uint8_t *byte)
{
	if (UNEXPECTED(reader->p == reader->end)) {
		return false;
	}
	*byte = *reader->p++;
	return true;
}

static uint32_t count_bits(const uint8_t *bits, uint32_t count)
{
	uint32_t ones = 0;
	for (uint32_t i = 0; i < count; i++) {
		ones += bits[i >> 3] >> (i & 7) & 1;
	}
	return ones;
}

bool snapshot_array_is_flat(const zend_array *array)
{
	zval *value;
	if (zend_hash_num_elements(array) > SNAPSHOT_MOST_SHARED) {
		return false;
	}
	ZEND_HASH_FOREACH_VAL((zend_array *) array, value) {
		if (Z_TYPE_P(value) != IS_STRING && Z_TYPE_P(value) > IS_LONG
			&& (Z_TYPE_P(value) != IS_OBJECT || (Z_OBJCE_P(value)->ce_flags & ZEND_ACC_ENUM) == 0)) {
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

static bool read_constant(snapshot_reader *reader, snapshot_cells *cells, uint32_t count, uint32_t depth)
{
	uint64_t each = 1;
	if (UNEXPECTED(!snapshot_read_value(reader, &cells->constant, 0, depth + 1))) {
		ZVAL_UNDEF(&cells->constant);
		return false;
	}
	if (Z_TYPE(cells->constant) == IS_ARRAY) {
		if (UNEXPECTED(!snapshot_array_is_flat(Z_ARR(cells->constant)))) {
			return false;
		}
		each += zend_hash_num_elements(Z_ARR(cells->constant));
	} else if (UNEXPECTED(Z_TYPE(cells->constant) == IS_OBJECT) && (Z_OBJCE(cells->constant)->ce_flags & ZEND_ACC_ENUM) == 0) {
		return false;
	}
	return snapshot_charge(reader, count * each);
}

static bool read_ints(snapshot_reader *reader, snapshot_cells *cells, uint8_t kind, uint32_t count)
{
	int64_t first = 0, base;
	if (kind == SNAPSHOT_DELTAS && UNEXPECTED(!snapshot_read_sint(reader, &first))) {
		return false;
	}
	if (UNEXPECTED(!snapshot_read_sint(reader, &base)) || UNEXPECTED(!take_byte(reader, &cells->width))
		|| UNEXPECTED(cells->width > SNAPSHOT_MOST_BITS && cells->width != 64)) {
		return false;
	}
	cells->pays = cells->width >= 8;
	if (!cells->pays && UNEXPECTED(!snapshot_charge(reader, count))) {
		return false;
	}
	cells->base = (uint64_t) base;
	cells->sum = (uint64_t) first;
	if (kind == SNAPSHOT_DELTAS && count > 0) {
		count--;
	}
	bool is_good = take(reader, snapshot_bit_bytes(count, cells->width), &cells->data);
	cells->data_end = reader->p;
	return is_good;
}

static bool read_decimals(snapshot_reader *reader, snapshot_cells *cells, uint32_t count)
{
	uint8_t digits, kind;
	if (UNEXPECTED(!take_byte(reader, &digits)) || UNEXPECTED(!take_byte(reader, &kind)) || UNEXPECTED(digits > SNAPSHOT_MOST_DIGITS)
		|| UNEXPECTED(kind != SNAPSHOT_INTS && kind != SNAPSHOT_DELTAS)) {
		return false;
	}
	cells->divisor = SNAPSHOT_TENS[digits];
	cells->kind = kind;
	return read_ints(reader, cells, kind, count);
}

static zend_always_inline uint32_t length_at(const uint8_t *lengths, uint8_t width)
{
	return width == 1 ? *lengths : (width == 2 ? snapshot_get16(lengths) : snapshot_get32(lengths));
}

static bool read_strings(snapshot_reader *reader, snapshot_cells *cells, uint32_t count)
{
	uint64_t length = 0;
	if (UNEXPECTED(!take_byte(reader, &cells->width)) || UNEXPECTED(cells->width != 1 && cells->width != 2 && cells->width != 4)
		|| UNEXPECTED(!take(reader, (uint64_t) count * cells->width, &cells->data))) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		length += length_at(cells->data + (size_t) i * cells->width, cells->width);
	}
	cells->pays = true;
	return take(reader, length, &cells->blob);
}

static bool read_choices(snapshot_reader *reader, snapshot_cells *cells, uint32_t count)
{
	uint8_t last;
	if (UNEXPECTED(!take_byte(reader, &last))) {
		return false;
	}
	cells->choices = safe_emalloc((uint32_t) last + 1, sizeof(*cells->choices), 0);
	for (uint32_t i = 0; i <= last; i++) {
		zend_string *choice = snapshot_read_text(reader);
		if (UNEXPECTED(choice == NULL)) {
			return false;
		}
		cells->choices[cells->choices_count++] = choice;
	}
	if (UNEXPECTED(!take(reader, count, &cells->data))) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (UNEXPECTED(cells->data[i] > last)) {
			return false;
		}
	}
	cells->pays = true;
	return true;
}

static bool read_cells(snapshot_reader *reader, snapshot_cells *cells, uint8_t kind, uint32_t count, uint32_t present, uint32_t depth)
{
	switch (kind) {
		case SNAPSHOT_MIXED:
			cells->pays = true;
			return true;
		case SNAPSHOT_CONSTANT:
			return read_constant(reader, cells, count, depth);
		case SNAPSHOT_INTS:
		case SNAPSHOT_DELTAS:
			return read_ints(reader, cells, kind, present);
		case SNAPSHOT_BOOLS:
			return snapshot_charge(reader, present) && take(reader, snapshot_bit_bytes(present, 1), &cells->data);
		case SNAPSHOT_DOUBLES:
			cells->pays = true;
			return take(reader, 8 * (uint64_t) present, &cells->data);
		case SNAPSHOT_DECIMALS:
			return read_decimals(reader, cells, present);
		case SNAPSHOT_STRINGS:
			return read_strings(reader, cells, present);
		case SNAPSHOT_CHOICES:
			return read_choices(reader, cells, present);
		default:
			return false;
	}
}

/* Reads the head of a column. The caller calls snapshot_free_cells() afterwards, even after a failure. */
bool snapshot_read_column(snapshot_reader *reader, snapshot_cells *cells, uint32_t count, uint32_t depth)
{
	uint8_t kind;
	uint32_t present = count;
	memset(cells, 0, sizeof(*cells));
	if (UNEXPECTED(!take_byte(reader, &kind))) {
		return false;
	}
	if (kind >= SNAPSHOT_NULLABLE) {
		kind &= SNAPSHOT_NULLABLE - 1;
		if (UNEXPECTED(kind < SNAPSHOT_INTS) || UNEXPECTED(!snapshot_charge(reader, count))
			|| UNEXPECTED(!take(reader, snapshot_bit_bytes(count, 1), &cells->there))) {
			return false;
		}
		cells->is_nullable = true;
		present = count_bits(cells->there, count);
	}
	cells->kind = kind;
	if (UNEXPECTED(!read_cells(reader, cells, kind, count, present, depth))) {
		return false;
	}
	cells->pays = cells->pays && !cells->is_nullable;
	return true;
}

bool snapshot_read_key_column(snapshot_reader *reader, snapshot_cells *cells, uint32_t count)
{
	if (UNEXPECTED(!snapshot_read_column(reader, cells, count, 0)) || cells->is_nullable || cells->divisor != 0) {
		return false;
	}
	return cells->kind == SNAPSHOT_MIXED || cells->kind == SNAPSHOT_INTS || cells->kind == SNAPSHOT_DELTAS || cells->kind == SNAPSHOT_STRINGS;
}

void snapshot_free_cells(snapshot_cells *cells)
{
	zval_ptr_dtor(&cells->constant);
	if (cells->choices != NULL) {
		for (uint32_t i = 0; i < cells->choices_count; i++) {
			zend_string_release(cells->choices[i]);
		}
		efree(cells->choices);
	}
}

/* Cells */

static zend_always_inline uint64_t next_bits(snapshot_cells *cells)
{
	uint64_t number;
	if (UNEXPECTED(cells->width == 64)) {
		number = snapshot_get64(cells->data + (cells->bit >> 3));
	} else if (cells->width == 0) {
		return 0;
	} else {
		number = snapshot_get_bits(cells->data, cells->data_end, cells->bit, cells->width);
	}
	cells->bit += cells->width;
	return number;
}

static zend_always_inline uint64_t next_int(snapshot_cells *cells, uint8_t kind)
{
	if (kind == SNAPSHOT_INTS) {
		return next_bits(cells) + cells->base;
	}
	if (UNEXPECTED(!cells->has_started)) {
		cells->has_started = true;
	} else {
		cells->sum += next_bits(cells) + cells->base;
	}
	return cells->sum;
}

static zend_always_inline void next_string(snapshot_cells *cells, zval *to)
{
	uint32_t length = length_at(cells->data, cells->width);
	cells->data += cells->width;
	snapshot_set_string(to, cells->blob, length);
	cells->blob += length;
}

static zend_always_inline void next_present(snapshot_cells *cells, zval *to)
{
	switch (cells->kind) {
		case SNAPSHOT_CONSTANT:
			ZVAL_COPY(to, &cells->constant);
			break;
		case SNAPSHOT_INTS:
		case SNAPSHOT_DELTAS: {
			int64_t number = (int64_t) next_int(cells, cells->kind);
			if (cells->divisor != 0) {
				ZVAL_DOUBLE(to, (double) number / cells->divisor);
			} else {
				ZVAL_LONG(to, number);
			}
			break;
		}
		case SNAPSHOT_BOOLS:
			ZVAL_BOOL(to, cells->data[cells->bit >> 3] >> (cells->bit & 7) & 1);
			cells->bit++;
			break;
		case SNAPSHOT_DOUBLES:
			ZVAL_DOUBLE(to, snapshot_get_double(cells->data));
			cells->data += 8;
			break;
		case SNAPSHOT_STRINGS:
			next_string(cells, to);
			break;
		default: /* choices */
			ZVAL_STR_COPY(to, cells->choices[*cells->data]);
			cells->data++;
	}
}

void snapshot_next_cell(snapshot_cells *cells, zval *to)
{
	if (cells->is_nullable) {
		uint32_t i = cells->next++;
		if ((cells->there[i >> 3] >> (i & 7) & 1) == 0) {
			ZVAL_NULL(to);
			return;
		}
	}
	next_present(cells, to);
}

/* Many cells at once */

static zend_always_inline void fill_ints(snapshot_cells *cells, char *to, size_t stride, uint32_t count, uint8_t kind)
{
	snapshot_cells local = *cells; /* the fields of a local copy can stay in registers */
	for (uint32_t i = 0; i < count; i++, to += stride) {
		ZVAL_LONG((zval *) to, (zend_long) next_int(&local, kind));
	}
}

void snapshot_fill_cells(snapshot_cells *cells, zval *first, size_t stride, uint32_t count)
{
	char *to = (char *) first;
	if (!cells->is_nullable && cells->divisor == 0) {
		if (cells->kind == SNAPSHOT_INTS) {
			fill_ints(cells, to, stride, count, SNAPSHOT_INTS);
			return;
		}
		if (cells->kind == SNAPSHOT_DELTAS) {
			fill_ints(cells, to, stride, count, SNAPSHOT_DELTAS);
			return;
		}
	}
	for (uint32_t i = 0; i < count; i++, to += stride) {
		snapshot_next_cell(cells, (zval *) to);
	}
}
