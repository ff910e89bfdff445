/* The state of the reader of one snapshot, and the functions that the reader's files share. */
#ifndef POLYPACK_SNAPSHOT_READER_H
#define POLYPACK_SNAPSHOT_READER_H

#include "../../php_polypack.h"
#include "format.h"

/*
 * Says which classes the reader may use, and which class names it replaces by others (spec/10-snapshot.md#classes).
 * php/src/Snapshot/ClassPolicy.php is the twin.
 */
typedef struct {
	bool allows_all;
	const zend_array *allowed; /* its keys are class names in lower case; NULL if all are allowed */
	const zend_array *aliases; /* new class names, by old names in lower case; NULL for none */
	zend_string *missing;      /* name of a class that the autoloaders didn't find, with a reference; NULL for none */
} snapshot_policy;

/* The property that gets the value of a name in the snapshot: a declared property or a dynamic one. */
typedef struct {
	uint32_t offset;                  /* of the declared property; 0 if there is none */
	const zend_property_info *checks; /* the property, if it has a type or is readonly; else NULL */
} snapshot_slot;

/* Says how objects of one shape are made. */
typedef struct {
	zend_class_entry *class;
	zend_function *hook;   /* __unserialize, __wakeup or unserialize; NULL for none */
	uint32_t count;        /* number of values of each object */
	uint32_t absent;       /* number of properties without a value; their slots come last */
	bool takes_data;       /* the hook is __unserialize, and gets the properties as an array */
	bool takes_iterator;   /* the data may name a class of iterators; see snapshot_check_iterator() */
	bool keeps_defaults;   /* the snapshot lacks some properties, which keep their defaults */
	bool has_dynamic;
	snapshot_slot slots[]; /* empty if __unserialize or unserialize gets the values */
} snapshot_plan;

/* A shape that has been read: the keys of arrays, the plan of objects, or a case of an enum. */
typedef struct {
	uint8_t head;
	uint32_t count;       /* number of keys, or of properties with a value; 0 for other shapes */
	zend_ulong cost;      /* key comparisons that each array or object costs, by snapshot_cost_of_names() */
	zend_array *row;      /* an array with the keys, which new_row() returns once and then copies; NULL if not needed */
	bool is_lent;         /* early_row() has returned the row as the first array */
	bool is_apart;        /* the row belongs to the shape alone, has nulls as values, and is copied for each array */
	bool counts_keys;     /* some keys of the row are reference-counted */
	zend_string **names;  /* each with a reference; set only if plan->has_dynamic is true */
	snapshot_plan *plan;  /* of objects; NULL for a stdClass, an array or a case */
	zend_object *enum_case;
	zend_array **latest;  /* for each place, the latest non-empty array read there; NULL before the first */
} snapshot_read_shape;

/*
 * An object that has a number. The entry holds a reference to the object. If the rows of a table are objects, all of
 * them get numbers before any row is read. The object of a row is made when the row is read, or earlier if a value
 * refers to it.
 */
typedef struct {
	zend_object *object; /* NULL until it is made */
	const snapshot_read_shape *shape;
} snapshot_numbered_object;

/* A scheduled call of a hook. It waits until the whole snapshot has been read. */
typedef struct {
	zend_object *object;
	zend_function *function;
	zval argument; /* undefined if the hook gets none */
} snapshot_hook;

typedef struct {
	const uint8_t *p;
	const uint8_t *end;
	snapshot_policy policy;

	zend_ulong elements; /* how many more values may take less than a byte each */
	zend_ulong comparisons; /* how many key comparisons large maps and long names may still cost */
	uint32_t max_depth;

	zend_string **strings; /* each with a reference; the same is true of `references` and `objects` */
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
	bool pays;            /* each cell takes at least one byte */
	bool has_started;     /* the first cell of deltas has been read */
	uint32_t next;        /* index of the next cell, nulls included; only used if is_nullable */
	const uint8_t *there; /* a bit for each cell, set if the cell isn't null; NULL if is_nullable is false */
	const uint8_t *data;
	const uint8_t *data_end;
	const uint8_t *blob;
	uint64_t bit;
	uint64_t base;
	uint64_t sum;
	double divisor;       /* the power of ten by which the ints of decimals are divided; 0 for other kinds */
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

/* Subtracts `comparisons` * `times` from the budget of key comparisons. Returns false if the budget is too small. */
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
 * Functions that read return false or NULL if the bytes are invalid, the reader declines, or an exception is pending.
 * Then they leave `to` as it was. The next functions are in source.c.
 */
bool snapshot_read_count(snapshot_reader *reader, uint32_t *count);
bool snapshot_read_sint(snapshot_reader *reader, int64_t *number);

/*
 * Reads the `length` bytes of a string; `length` is at most 255. Gives the string the next number if it has at least 2
 * bytes.
 */
bool snapshot_read_numbered(snapshot_reader *reader, zval *to, size_t length);
bool snapshot_read_long(snapshot_reader *reader, zval *to);
bool snapshot_read_earlier(snapshot_reader *reader, zval *to, uint32_t number);

/* Reads a string where only a string is valid, such as a name. The caller releases it. Returns NULL on failure. */
zend_string *snapshot_read_text(snapshot_reader *reader);

/* The next functions are in cells.c. */
bool snapshot_read_column(snapshot_reader *reader, snapshot_cells *cells, uint32_t count, uint32_t depth);
bool snapshot_read_key_column(snapshot_reader *reader, snapshot_cells *cells, uint32_t count);
void snapshot_fill_cells(snapshot_cells *cells, zval *to, size_t stride, uint32_t count);
void snapshot_next_cell(snapshot_cells *cells, zval *to);
void snapshot_free_cells(snapshot_cells *cells);
bool snapshot_array_is_flat(const zend_array *array);

/* Reads a value that isn't a reference and isn't at a place of a shape. The function is in reader.c. */
bool snapshot_read_value(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth);

/*
 * Reads the keys of a map into an array with nulls as values. Returns NULL if they are faulty, or cost too many
 * comparisons. This function and the next are in keys.c.
 */
zend_array *snapshot_read_keys(snapshot_reader *reader, uint32_t count);

/*
 * Returns how many key comparisons each array or object with these names costs. Returns 0 if the names together have at
 * most SNAPSHOT_LONG_NAMES bytes.
 */
zend_ulong snapshot_cost_of_names(zend_string **names, uint32_t count);

/*
 * Reads a new shape, and gives it the next number. May load a class. `depth` is the depth of the value that the shape
 * is part of. This function and the next are in shapes.c.
 */
bool snapshot_read_new_shape(snapshot_reader *reader, uint8_t head, uint32_t depth);
void snapshot_free_shape(snapshot_read_shape *shape);

/* The next three functions are in plans.c. They return NULL to decline, or if an exception is pending. */
snapshot_plan *snapshot_plan_properties(zend_class_entry *class, zend_string **names, uint32_t count, uint32_t declared,
	uint32_t absent, bool is_chosen);
snapshot_plan *snapshot_plan_data(zend_class_entry *class, uint8_t head, uint8_t flags);
zend_class_entry *snapshot_find_class(snapshot_reader *reader, zend_string *written, uint32_t depth);

/*
 * Checks the class of iterators that the data of an ArrayObject or ArrayIterator may name. PHP's __unserialize() would
 * load any class. Returns false if the class is missing or not allowed. Then the twin decides what becomes of the
 * object. Otherwise replaces an alias in the data by the class's real name.
 */
bool snapshot_check_iterator(snapshot_reader *reader, zval *data, uint32_t depth);

/*
 * The functions from here on are in objects.c. snapshot_new_object() makes an object and gives it the next number.
 * snapshot_number_rows() gives numbers to all rows of a table. snapshot_numbered_row() returns the object that has
 * `number`, and makes the object of a row if it doesn't exist yet.
 */
zend_object *snapshot_new_object(snapshot_reader *reader, const snapshot_read_shape *shape);
void snapshot_number_rows(snapshot_reader *reader, const snapshot_read_shape *shape, uint32_t rows);
zend_object *snapshot_numbered_row(snapshot_reader *reader, uint32_t number);

/* Checks the type of a value for its slot. Returns false if the property doesn't accept it. */
bool snapshot_check_slot(const snapshot_slot *slot, zval *value);

/* Gives an object a property that its class doesn't declare. Takes over the value. */
void snapshot_add_dynamic(zend_object *object, zend_string *name, zval *value);

/*
 * Schedules the call of a hook for the time when the whole snapshot has been read. Takes over the argument, which is
 * undefined if the hook gets none.
 */
void snapshot_call_later(snapshot_reader *reader, zend_object *object, zend_function *function, zval *argument);

/* Makes the scheduled calls. Stops and returns false when one throws. */
bool snapshot_run_hooks(snapshot_reader *reader);

/* Releases the objects and frees the scheduled calls. If `is_good` is false, the objects' destructors don't run. */
void snapshot_free_objects(snapshot_reader *reader, bool is_good);

#endif
