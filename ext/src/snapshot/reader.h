/* The state while one snapshot is read, and the functions that the files of the reader share. */
#ifndef POLYPACK_SNAPSHOT_READER_H
#define POLYPACK_SNAPSHOT_READER_H

#include "../../php_polypack.h"
#include "format.h"

/*
 * Which classes a snapshot may name, and which classes replace them (spec/10-snapshot.md#classes).
 * php/src/Snapshot/ClassPolicy.php is the twin.
 */
typedef struct {
	bool allows_all;
	const zend_array *allowed; /* names in lower case; NULL if all are allowed */
	const zend_array *aliases; /* new names, by old names in lower case; NULL for none */
	zend_string *missing;      /* with a reference: a class that no autoloader knows; then the reader declines */
} snapshot_policy;

/* Where the value of a name goes: into a declared property, or else a dynamic one. */
typedef struct {
	uint32_t offset;                  /* of the declared property; 0 for a dynamic one */
	const zend_property_info *checks; /* the property, if it has a type or is readonly; else NULL */
} snapshot_slot;

/* How objects of one shape are made. */
typedef struct {
	zend_class_entry *class;
	zend_function *hook;   /* __unserialize, __wakeup or unserialize; NULL for none */
	uint32_t count;        /* values of each object */
	uint32_t absent;       /* properties without a value; their slots follow those of the values */
	bool takes_data;       /* __unserialize gets the values */
	bool keeps_defaults;   /* the snapshot lacks some properties, which keep their defaults */
	bool has_dynamic;
	snapshot_slot slots[]; /* none if __unserialize or unserialize gets the values */
} snapshot_plan;

/* A shape that was read: the keys of arrays, or what is known of objects. */
typedef struct {
	uint8_t head;
	uint32_t count;       /* values of each */
	zend_ulong cost;      /* key comparisons that each array or object costs the PHP code, if the names are long */
	zend_array *row;      /* has the keys of each array, stdClass or data; see new_row() in reader.c */
	bool is_lent;         /* the row has become the first array */
	bool is_apart;        /* the row is the shape's own again, with nulls as values, and is copied for each array */
	bool counts_keys;     /* whether keys of the row are reference-counted */
	zend_string **names;  /* with references; only for objects with dynamic properties, except stdClass */
	snapshot_plan *plan;  /* of objects, except stdClass */
	zend_object *enum_case;
	zend_array **latest;  /* for each place, the last array read there; NULL before the first */
} snapshot_read_shape;

/*
 * An object that has a number, and a reference to it. All rows of a table get their numbers first. The object of a row
 * is made when the row is read, or before that if a value refers to it.
 */
typedef struct {
	zend_object *object; /* NULL if it has not been made */
	const snapshot_read_shape *shape;
} snapshot_numbered_object;

/* The call of a hook, which waits until the whole snapshot has been read. */
typedef struct {
	zend_object *object;
	zend_function *function;
	zval argument; /* undefined for none */
} snapshot_hook;

typedef struct {
	const uint8_t *p;
	const uint8_t *end;
	snapshot_policy policy;

	zend_ulong elements; /* how many more values may take less than a byte each */
	zend_ulong comparisons; /* how many key comparisons wide maps and long names may still cost */
	uint32_t max_depth;

	zend_string **strings; /* with a reference to each, as for references and objects below */
	uint32_t strings_count;
	uint32_t strings_size;

	snapshot_read_shape **shapes;
	uint32_t shapes_count;
	uint32_t shapes_size;

	zend_reference **references;
	uint32_t references_count;
	uint32_t references_size;

	snapshot_numbered_object *objects;
	uint32_t objects_count;
	uint32_t objects_size;
	bool has_destructors; /* some object has a destructor, which must not run if reading fails */

	snapshot_hook *hooks;
	uint32_t hooks_count;
	uint32_t hooks_size;
} snapshot_reader;

/* A column that is being read, cell by cell. */
typedef struct {
	uint8_t kind;
	uint8_t width;
	bool is_nullable;
	bool pays;            /* each cell takes at least a byte */
	bool has_started;     /* the first cell of deltas has been read */
	uint32_t next;        /* index of the next cell, counting nulls */
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

/* Pays for key comparisons, so many times. Returns false if they are too many. */
static zend_always_inline bool snapshot_pay(snapshot_reader *reader, zend_ulong comparisons, uint32_t times)
{
	if (UNEXPECTED(comparisons > 0) && times > 0) {
		if (UNEXPECTED(comparisons > reader->comparisons / times)) {
			return false;
		}
		reader->comparisons -= comparisons * times;
	}
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
 * Functions that read return false if the bytes are invalid or the reader declines. They have put nothing into `to`
 * then. In source.c:
 */
bool snapshot_read_count(snapshot_reader *reader, uint32_t *count);
bool snapshot_read_sint(snapshot_reader *reader, int64_t *number);

/* Reads a string of 0 to 255 bytes. Gives it the next number if it has at least 2 bytes. */
bool snapshot_read_numbered(snapshot_reader *reader, zval *to, size_t length);
bool snapshot_read_long(snapshot_reader *reader, zval *to);
bool snapshot_read_earlier(snapshot_reader *reader, zval *to, uint32_t number);

/* Reads a string that is a name, key or choice. The caller releases it. Returns NULL if it isn't a valid string. */
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

/* In keys.c. Reads the keys of a map into an array with nulls as values. Returns NULL if they are faulty. */
zend_array *snapshot_read_keys(snapshot_reader *reader, uint32_t count);

/* Returns how many key comparisons each array or object with these names costs: 0 if they aren't long. */
zend_ulong snapshot_cost_of_names(zend_string **names, uint32_t count);

/* In shapes.c. Reads a new shape, and gives it the next number. May load a class. `depth` is that of the value. */
bool snapshot_read_new_shape(snapshot_reader *reader, uint8_t head, uint32_t depth);
void snapshot_free_shape(snapshot_read_shape *shape);

/* In plans.c. These return NULL to decline, or if an exception is pending. */
snapshot_plan *snapshot_plan_properties(zend_class_entry *class, zend_string **names, uint32_t count, uint32_t declared,
	uint32_t absent, bool is_chosen);
snapshot_plan *snapshot_plan_data(zend_class_entry *class, uint8_t head, uint8_t flags);
zend_class_entry *snapshot_find_class(snapshot_reader *reader, zend_string *written, uint32_t depth);

/*
 * In objects.c. The first makes an object and gives it the next number. The second gives numbers to the rows of a
 * table. The third returns the object of such a row, and makes it if it doesn't exist yet.
 */
zend_object *snapshot_new_object(snapshot_reader *reader, const snapshot_read_shape *shape);
void snapshot_number_rows(snapshot_reader *reader, const snapshot_read_shape *shape, uint32_t rows);
zend_object *snapshot_numbered_row(snapshot_reader *reader, uint32_t number);

/* Checks the type of a value for its slot. Returns false if the property doesn't accept it. */
bool snapshot_check_slot(const snapshot_slot *slot, zval *value);

/* Gives an object a property that its class doesn't declare. Takes over the value. */
void snapshot_add_dynamic(zend_object *object, zend_string *name, zval *value);

/* Schedules a hook's call, for when the whole snapshot has been read. Takes over the argument; undefined means none. */
void snapshot_call_later(snapshot_reader *reader, zend_object *object, zend_function *function, zval *argument);

/* Makes the scheduled calls. Stops and returns false when one throws. */
bool snapshot_run_hooks(snapshot_reader *reader);

/* Releases the objects and frees scheduled calls. Destructors can run only if reading has succeeded. */
void snapshot_free_objects(snapshot_reader *reader, bool is_good);

#endif
