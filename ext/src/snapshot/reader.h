/* The reader of one snapshot: its state, which lives on the call, and what its files share. */
#ifndef POLYPACK_SNAPSHOT_READER_H
#define POLYPACK_SNAPSHOT_READER_H

#include "../../php_polypack.h"
#include "format.h"

/* A shape that was read: the keys of arrays. */
typedef struct {
	zend_array *row;      /* with these keys, and null for each value */
	bool counts_keys;     /* the keys have counted references */
	zend_array **latest;  /* at each place; NULL until an array comes */
} snapshot_read_shape;

typedef struct {
	const uint8_t *p;
	const uint8_t *end;

	zend_ulong elements; /* values that may still cost no bytes */
	zend_ulong comparisons; /* key comparisons that are left for wide maps */
	uint32_t max_depth;

	zend_string **strings; /* each with a reference, as are all below */
	uint32_t strings_count;
	uint32_t strings_size;

	snapshot_read_shape **shapes;
	uint32_t shapes_count;
	uint32_t shapes_size;

	zend_reference **references;
	uint32_t references_count;
	uint32_t references_size;
} snapshot_reader;

/* A column that is being read, cell by cell. */
typedef struct {
	uint8_t kind;
	uint8_t width;
	bool is_nullable;
	bool pays;            /* each cell costs a byte at least */
	bool has_started;     /* the first cell of deltas has been read */
	uint32_t next;        /* index of the next cell, null ones included */
	const uint8_t *there; /* a bit for each cell that isn't null */
	const uint8_t *data;
	const uint8_t *data_end;
	const uint8_t *blob;
	uint64_t bit;
	uint64_t base;
	uint64_t sum;
	double divisor;       /* of decimals; else 0 */
	zval constant;
	zend_string **choices;
	uint32_t choices_count;
} snapshot_cells;

static zend_always_inline size_t snapshot_left(const snapshot_reader *reader)
{
	return (size_t) (reader->end - reader->p);
}

static zend_always_inline bool snapshot_charge(snapshot_reader *reader, uint64_t values)
{
	if (UNEXPECTED(values > reader->elements)) {
		return false;
	}
	reader->elements -= values;
	return true;
}

static zend_always_inline void snapshot_set_string(zval *to, const uint8_t *bytes, size_t length)
{
	if (UNEXPECTED(length <= 1)) {
		ZVAL_INTERNED_STR(to, length == 0 ? ZSTR_EMPTY_ALLOC() : ZSTR_CHAR(bytes[0]));
	} else {
		ZVAL_STRINGL_FAST(to, (const char *) bytes, length);
	}
}

/*
 * Every function that reads returns false for invalid bytes, and for values that are left to the PHP code. Then it has
 * put nothing into `to`. In source.c:
 */
bool snapshot_read_count(snapshot_reader *reader, uint32_t *count);
bool snapshot_read_sint(snapshot_reader *reader, int64_t *number);

/* Reads a string of 0 to 255 bytes, which gets a number if it can come again. */
bool snapshot_read_numbered(snapshot_reader *reader, zval *to, size_t length);
bool snapshot_read_long(snapshot_reader *reader, zval *to);
bool snapshot_read_earlier(snapshot_reader *reader, zval *to, uint32_t number);

/* Reads a name, key or choice. Returns a string with a reference; NULL if it's anything else. */
zend_string *snapshot_read_text(snapshot_reader *reader);

/* In cells.c. */
bool snapshot_read_column(snapshot_reader *reader, snapshot_cells *cells, uint32_t count, uint32_t depth);
bool snapshot_read_key_column(snapshot_reader *reader, snapshot_cells *cells, uint32_t count);
void snapshot_fill_cells(snapshot_cells *cells, zval *to, size_t stride, uint32_t count);
void snapshot_next_cell(snapshot_cells *cells, zval *to);
void snapshot_free_cells(snapshot_cells *cells);
bool snapshot_array_is_flat(const zend_array *array);

/* In reader.c. Reads a value that isn't at a place of a shape and isn't a reference. */
bool snapshot_read_value(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth);

/* In keys.c. Reads the keys of a map, into an array with null for each value; NULL if they are faulty. */
zend_array *snapshot_read_keys(snapshot_reader *reader, uint32_t count);
bool snapshot_read_new_shape(snapshot_reader *reader, uint8_t head);

#endif
