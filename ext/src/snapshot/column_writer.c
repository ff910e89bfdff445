/* Writes columns, each in the encoding that columns.c has chosen. php/src/Snapshot/ColumnWriter.php is the twin. */
#include "writer.h"

/* Bits that haven't been written yet, because put_bits() writes 64 bits at a time. `there` is how many. */
typedef struct {
	uint64_t bits;
	uint32_t there;
} bit_rest;

static zend_always_inline uint8_t *put_bits(uint8_t *p, bit_rest *rest, uint64_t number, uint32_t width)
{
	rest->bits |= number << rest->there;
	rest->there += width;
	if (rest->there >= 64) {
		p = snapshot_put64(p, rest->bits);
		rest->there -= 64;
		rest->bits = rest->there == 0 ? 0 : number >> (width - rest->there);
	}
	return p;
}

static uint8_t *end_bits(uint8_t *p, const bit_rest *rest)
{
	uint64_t bits = rest->bits;
	for (uint32_t there = rest->there; there > 0; there = there > 8 ? there - 8 : 0) {
		*p++ = (uint8_t) bits;
		bits >>= 8;
	}
	return p;
}

static void write_bitmap(snapshot_writer *writer, const snapshot_column *column)
{
	bit_rest rest = {0, 0};
	snapshot_reserve(writer, (size_t) snapshot_bit_bytes(column->count, 1) + 8);
	uint8_t *p = writer->p;
	for (uint32_t i = 0; i < column->count; i++) {
		p = put_bits(p, &rest, Z_TYPE(column->cells[i]) != IS_NULL, 1);
	}
	writer->p = end_bits(p, &rest);
}

static void write_bools(snapshot_writer *writer, const snapshot_column *column)
{
	bit_rest rest = {0, 0};
	snapshot_reserve(writer, (size_t) snapshot_bit_bytes(column->present, 1) + 8);
	uint8_t *p = writer->p;
	for (uint32_t i = 0; i < column->count; i++) {
		if (Z_TYPE(column->cells[i]) != IS_NULL) {
			p = put_bits(p, &rest, Z_TYPE(column->cells[i]) == IS_TRUE, 1);
		}
	}
	writer->p = end_bits(p, &rest);
}

static zend_always_inline int64_t int_of(const zval *cell, bool is_decimal, double scale)
{
	return is_decimal ? snapshot_whole(Z_DVAL_P(cell), scale) : Z_LVAL_P(cell);
}

/* Writes ints, deltas or decimals. Inlined twice with a constant `is_decimal`, so that the loops don't test it. */
static zend_always_inline void write_ints_of(snapshot_writer *writer, const snapshot_column *column, bool is_decimal)
{
	const double scale = SNAPSHOT_TENS[column->digits];
	const zval *cell = column->cells, *end = cell + column->count;
	uint64_t base = (uint64_t) column->base;
	uint64_t before = 0;
	uint32_t width = column->width;
	uint64_t cells = column->present;
	snapshot_reserve(writer, 3 * SNAPSHOT_MAX_HEAD + 8 + (size_t) snapshot_bit_bytes(cells, width));
	uint8_t *p = writer->p;
	if (column->is_deltas) {
		while (Z_TYPE_P(cell) == IS_NULL) {
			cell++;
		}
		before = (uint64_t) int_of(cell++, is_decimal, scale);
		p = snapshot_put_sint(p, (int64_t) before);
	}
	p = snapshot_put_sint(p, column->base);
	*p++ = (uint8_t) width;
	if (width == 0) {
		writer->p = p;
		return;
	}
	bit_rest rest = {0, 0};
	if (width == 64) {
		for (; cell < end; cell++) {
			if (Z_TYPE_P(cell) != IS_NULL) {
				p = snapshot_put64(p, (uint64_t) int_of(cell, is_decimal, scale));
			}
		}
	} else if (column->is_deltas) {
		for (; cell < end; cell++) {
			if (Z_TYPE_P(cell) != IS_NULL) {
				uint64_t n = (uint64_t) int_of(cell, is_decimal, scale);
				p = put_bits(p, &rest, n - before - base, width);
				before = n;
			}
		}
	} else {
		for (; cell < end; cell++) {
			if (Z_TYPE_P(cell) != IS_NULL) {
				p = put_bits(p, &rest, (uint64_t) int_of(cell, is_decimal, scale) - base, width);
			}
		}
	}
	writer->p = end_bits(p, &rest);
}

static void write_doubles(snapshot_writer *writer, const snapshot_column *column)
{
	snapshot_reserve(writer, 8 * (size_t) column->present);
	uint8_t *p = writer->p;
	for (uint32_t i = 0; i < column->count; i++) {
		if (Z_TYPE(column->cells[i]) != IS_NULL) {
			p = snapshot_put_double(p, Z_DVAL(column->cells[i]));
		}
	}
	writer->p = p;
}

static void write_strings(snapshot_writer *writer, const snapshot_column *column)
{
	snapshot_reserve(writer, 1 + (size_t) column->present * column->width + column->bytes);
	uint8_t *p = writer->p;
	*p++ = column->width;
	for (uint32_t i = 0; i < column->count; i++) {
		const zval *cell = &column->cells[i];
		if (Z_TYPE_P(cell) == IS_NULL) {
			continue;
		}
		if (EXPECTED(column->width == 1)) {
			*p++ = (uint8_t) Z_STRLEN_P(cell);
		} else if (column->width == 2) {
			p = snapshot_put16(p, (uint16_t) Z_STRLEN_P(cell));
		} else {
			p = snapshot_put32(p, (uint32_t) Z_STRLEN_P(cell));
		}
	}
	for (uint32_t i = 0; i < column->count; i++) {
		const zval *cell = &column->cells[i];
		if (Z_TYPE_P(cell) != IS_NULL) {
			memcpy(p, Z_STRVAL_P(cell), Z_STRLEN_P(cell));
			p += Z_STRLEN_P(cell);
		}
	}
	writer->p = p;
}

static bool write_choices(snapshot_writer *writer, const snapshot_column *column)
{
	snapshot_put_byte(writer, (uint8_t) (column->choices_count - 1));
	for (uint32_t i = 0; i < column->choices_count; i++) {
		if (UNEXPECTED(!snapshot_write_string(writer, column->choices[i]))) {
			return false;
		}
	}
	snapshot_reserve(writer, column->present);
	memcpy(writer->p, column->numbers, column->present);
	writer->p += column->present;
	return true;
}

/* Writes the kind of a column, and its cells unless they are mixed. The caller writes mixed cells later. */
bool snapshot_write_column(snapshot_writer *writer, const snapshot_column *column, uint32_t depth)
{
	snapshot_put_byte(writer, (uint8_t) (column->kind | (column->is_nullable ? SNAPSHOT_NULLABLE : 0)));
	if (column->is_nullable) {
		write_bitmap(writer, column);
	}
	switch (column->kind) {
		case SNAPSHOT_CONSTANT:
			return snapshot_write_value(writer, column->cells, depth);
		case SNAPSHOT_INTS:
		case SNAPSHOT_DELTAS:
			write_ints_of(writer, column, false);
			return true;
		case SNAPSHOT_BOOLS:
			write_bools(writer, column);
			return true;
		case SNAPSHOT_DOUBLES:
			write_doubles(writer, column);
			return true;
		case SNAPSHOT_DECIMALS:
			snapshot_reserve(writer, 2);
			*writer->p++ = column->digits;
			*writer->p++ = column->is_deltas ? SNAPSHOT_DELTAS : SNAPSHOT_INTS;
			write_ints_of(writer, column, true);
			return true;
		case SNAPSHOT_STRINGS:
			write_strings(writer, column);
			return true;
		case SNAPSHOT_CHOICES:
			return write_choices(writer, column);
		default:
			return true;
	}
}
