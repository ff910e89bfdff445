/* The state of the writer of one snapshot, and the functions that the writer's files share. */
#ifndef POLYPACK_SNAPSHOT_WRITER_H
#define POLYPACK_SNAPSHOT_WRITER_H

#include "../../php_polypack.h"
#include "format.h"

typedef enum {
	SNAPSHOT_FLOATS_AUTO,
	SNAPSHOT_FLOATS_RAW,
	SNAPSHOT_FLOATS_DECIMAL
} snapshot_floats;

/*
 * A string that has been written. When it occurs again, its number is written. The entry holds no reference to the
 * string, because no user code runs while values are written.
 */
typedef struct {
	zend_string *string; /* NULL if the entry is free */
	uint32_t hash;
	uint32_t number;
} snapshot_name;

/* A shape that has been written: the keys of an array, the class and properties of an object, or a case of an enum. */
typedef struct {
	const Bucket *keys; /* keys, or property names; NULL if there are none, or if they are what the class declares */
	const zend_object *enum_case;
	const zend_class_entry *class; /* of objects; else NULL */
	uint32_t count;
	uint32_t layout; /* of objects: head, counts and flags, which tell shapes of one class apart */
	uint32_t hash;
	const zend_array **latest; /* by place: the latest non-empty array there; NULL if it isn't flat or there is none */
} snapshot_shape;

/* A PHP reference that several variables or elements hold, and how often it occurs in the value. */
typedef struct {
	zend_reference *reference; /* NULL if the entry is free; its refcount was raised, because hooks may release it */
	uint32_t occurs;
	uint32_t number; /* 0 until it has been written; then counted from 1 */
} snapshot_referred;

/*
 * The elements of an array without holes, or the values of properties. They are zvals, or Buckets that contain zvals,
 * `stride` bytes apart.
 */
typedef struct {
	const char *first;
	size_t stride;
	uint32_t count;
} snapshot_elements;

static zend_always_inline const zval *snapshot_element(const snapshot_elements *elements, uint32_t i)
{
	return (const zval *) (elements->first + i * elements->stride);
}

/* Describes which properties of an object are written. */
typedef struct {
	snapshot_elements values;
	const Bucket *names; /* of the values, then of the absent properties; NULL if they are what the class declares */
	uint8_t flags;
	uint8_t declared;
	uint8_t absent;
} snapshot_properties;

/*
 * What will be written for one object: its properties, or the data that __serialize() or serialize() returned. A walk
 * finds the forms of all objects before any of them is written, because a hook may change objects that the walk has
 * visited already.
 */
typedef struct snapshot_form {
	uint8_t head; /* SNAPSHOT_NEW_OBJECT, SNAPSHOT_NEW_DATA or SNAPSHOT_NEW_LEGACY */
	snapshot_properties properties;
	zval data; /* for SNAPSHOT_NEW_DATA an array, for SNAPSHOT_NEW_LEGACY a string */
	bool owns_values; /* the values follow this struct in the same allocation, and are freed with it */
	struct snapshot_form *next; /* the next form in the list `old_forms` */
} snapshot_form;

/* An object that the writer or a walk has met. */
typedef struct {
	zend_object *object; /* NULL if the entry is free; its refcount was raised if a walk met it */
	uint32_t number;     /* 0 until it has been written; then counted from 1 */
	uint32_t walk;       /* number of the latest walk that met it; 0 for none */
	snapshot_form *form; /* found by the latest walk; NULL if the object is written as null */
} snapshot_numbered;

typedef struct {
	uint8_t *p;
	uint8_t *end;
	zend_string *out;

	zend_ulong elements; /* how many more values may take less than a byte each */
	uint32_t max_depth;
	snapshot_floats floats;

	/*
	 * Most values can be written at the first attempt. This attempt stops at a PHP reference that several places hold,
	 * and at an object that isn't plain (classes.h). But it doesn't stop at cases of enums, or at objects whose
	 * __serialize() PHP or an extension defines. After a stop, a walk counts how often each reference occurs
	 * (spec/10-snapshot.md#references), calls hooks, and finds out what to write for each object. Walks are repeated
	 * until one calls no hook, at most SNAPSHOT_MOST_WALKS times. The second attempt writes what the last walk found.
	 */
	bool needs_walk;
	uint32_t walk; /* number of the latest walk; 0 before the first */
	bool calls_hooks;
	zend_array *answers; /* by object handle: pairs of object and result of its hook; NULL if no hook was called */
	void *room; /* where graph.c collects the properties of one object; NULL until needed */
	snapshot_form *old_forms; /* forms that earlier walks found */
	const zend_class_entry *wire_class;
	zend_string **wire_names; /* names that the properties declared by wire_class have in a snapshot */
	snapshot_referred *referred;
	uint32_t referred_count;
	uint32_t referred_mask;
	uint32_t references; /* number of references written so far */

	snapshot_name *names;
	uint32_t names_count;
	uint32_t names_mask;
	uint64_t seed;

	snapshot_shape *shapes;
	uint32_t shapes_count;
	uint32_t shapes_size;
	uint32_t *shape_places; /* hash table of shapes: index in `shapes` plus 1; 0 if free */
	uint32_t shape_mask;
	bool hashes_contents; /* keys of shapes are hashed by their bytes, not by their PHP hashes */

	snapshot_numbered *objects; /* hash table, hashed by the object's handle */
	uint32_t objects_count;
	uint32_t objects_written;
	uint32_t objects_mask;
	const zend_class_entry *plain_class; /* the latest class that was found plain */

	zend_string **strings; /* names of properties, each with a reference */
	uint32_t strings_count;
	uint32_t strings_size;

	zend_array **kept; /* arrays that are released at the end: copies without holes, data and properties of objects */
	uint32_t kept_count;
	uint32_t kept_size;
} snapshot_writer;

/* The cells of a column, and how they are written. */
typedef struct {
	const zval *cells;
	uint32_t count;
	uint32_t present; /* number of cells that aren't null */
	uint8_t kind;
	bool is_nullable;
	bool is_deltas; /* the numbers are written as differences from one to the next */
	uint8_t digits;
	uint8_t width;
	int64_t first;
	int64_t base;
	int64_t least;
	uint64_t range;
	zend_ulong charge; /* how many values are charged for the column (spec/10-snapshot.md#limits) */
	zend_ulong bytes; /* length of all strings together */
	size_t longest;
	uint8_t *numbers; /* for each string, the number of its choice */
	zend_string **choices;
	uint32_t choices_count;
} snapshot_column;

/* Rows of one shape: arrays with the same keys, or objects of the same class with the same properties. */
typedef struct {
	const Bucket *shape; /* keys of the first row, if rows are arrays */
	const zend_class_entry *class; /* of rows that are objects; else NULL */
	snapshot_properties first; /* properties of the first object */
	uint32_t rows;
	uint32_t places;
	zval *cells; /* of all rows, column by column */
	snapshot_column *columns;
} snapshot_table;

/*
 * Returns a float times a scale, rounded to an int: 1.25 with the scale 100 gives 125. The result must be between -2^50
 * and 2^50.
 */
static zend_always_inline int64_t snapshot_whole(double number, double scale)
{
	double scaled = number * scale;
	return (int64_t) (scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

void snapshot_grow(snapshot_writer *writer, size_t length);

/* Makes sure that `length` more bytes fit into the output. */
static zend_always_inline void snapshot_reserve(snapshot_writer *writer, size_t length)
{
	if (UNEXPECTED((size_t) (writer->end - writer->p) < length)) {
		snapshot_grow(writer, length);
	}
}

static zend_always_inline void snapshot_put_byte(snapshot_writer *writer, uint8_t byte)
{
	snapshot_reserve(writer, 1);
	*writer->p++ = byte;
}

static zend_always_inline void snapshot_put_head(snapshot_writer *writer, uint8_t head, uint64_t count)
{
	snapshot_reserve(writer, SNAPSHOT_MAX_HEAD);
	*writer->p++ = head;
	writer->p = snapshot_put_count(writer->p, count);
}

const zval *snapshot_behind(snapshot_writer *writer, const zval *reference);

/* Returns the value of an element, or the PHP reference itself if the snapshot keeps it as a reference. */
static zend_always_inline const zval *snapshot_plain(snapshot_writer *writer, const zval *element)
{
	return EXPECTED(Z_TYPE_P(element) != IS_REFERENCE) ? element : snapshot_behind(writer, element);
}

/* The next functions are in names.c. */
bool snapshot_write_string(snapshot_writer *writer, zend_string *string);
bool snapshot_write_array_shape(snapshot_writer *writer, const Bucket *keys, uint32_t count, uint32_t *number);
bool snapshot_write_object_shape(snapshot_writer *writer, const zend_class_entry *class, const snapshot_properties *properties, uint32_t *number);
bool snapshot_write_data_shape(snapshot_writer *writer, const zend_class_entry *class, uint8_t head);
zend_string *snapshot_keep_string(snapshot_writer *writer, zend_string *string);
zend_string **snapshot_wire_names(snapshot_writer *writer, const zend_class_entry *class);

/* Returns the entry of an object, and adds one if the object is new. The next call may move the entry. */
snapshot_numbered *snapshot_numbered_object(snapshot_writer *writer, zend_object *object);

/* Tells whether an object is plain, as classes.h defines it. */
bool snapshot_is_plain(snapshot_writer *writer, zend_object *object);
bool snapshot_write_case(snapshot_writer *writer, const zend_object *object);
uint64_t snapshot_hash(const snapshot_writer *writer, const zend_string *string);
zend_array *snapshot_without_holes(snapshot_writer *writer, zend_array *array);
zend_array *snapshot_keep_array(snapshot_writer *writer, zend_array *array);
void snapshot_free_names(snapshot_writer *writer);

/*
 * Walks the value before it is written. Returns false if the writer declines, or if an exception is pending. This
 * function and the next two are in graph.c.
 */
bool snapshot_walk(snapshot_writer *writer, zval *value);
snapshot_properties snapshot_all_properties(snapshot_writer *writer, zend_object *object);
void snapshot_free_graph(snapshot_writer *writer);

/* This function is in references.c. */
snapshot_referred *snapshot_find_referred(snapshot_writer *writer, zend_reference *reference, bool adds);

/*
 * The next functions are in columns.c and column_writer.c. A flat array has at most 255 elements, and each is null, a
 * bool, an int, a string or a case of an enum. After snapshot_choose() or snapshot_choose_keys(), the caller has to
 * call snapshot_free_column().
 */
bool snapshot_is_flat(snapshot_writer *writer, const zend_array *array);
bool snapshot_is_same(snapshot_writer *writer, const zend_array *flat, const zend_array *array);
void snapshot_choose(snapshot_writer *writer, snapshot_column *column, const zval *cells, uint32_t count, zend_ulong most);
void snapshot_choose_keys(snapshot_writer *writer, snapshot_column *column, const zval *keys, uint32_t count, zend_ulong most);
bool snapshot_write_column(snapshot_writer *writer, const snapshot_column *column, uint32_t depth);
void snapshot_free_column(snapshot_column *column);

/*
 * Makes a table of elements and chooses its columns. Returns false if the elements don't become a table. Otherwise the
 * caller has to call snapshot_free_table(). Both functions are in rows.c.
 */
bool snapshot_make_table(snapshot_writer *writer, snapshot_table *table, const snapshot_elements *elements);
void snapshot_free_table(snapshot_table *table);

/*
 * Writes a value. Returns false to stop, because a walk is needed or the writer declines. The caller then frees its own
 * memory, and also returns false. This function is in writer.c.
 */
bool snapshot_write_value(snapshot_writer *writer, const zval *value, uint32_t depth);

static zend_always_inline bool snapshot_is_case(const zval *value)
{
	return (Z_OBJCE_P(value)->ce_flags & ZEND_ACC_ENUM) != 0;
}

/* Tells whether all keys are strings. */
static zend_always_inline bool snapshot_are_names(const Bucket *entries, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (entries[i].key == NULL) {
			return false;
		}
	}
	return true;
}

/*
 * Sets `properties` to the properties of an object. Returns false if the object isn't written as properties. As long
 * as no walk has looked at the graph, it also returns false for all objects but plain ones (classes.h).
 */
static zend_always_inline bool snapshot_properties_of(snapshot_writer *writer, zend_object *object, snapshot_properties *properties)
{
	if (UNEXPECTED(writer->walk != 0)) {
		const snapshot_form *form = snapshot_numbered_object(writer, object)->form;
		if (form == NULL || form->head != SNAPSHOT_NEW_OBJECT) {
			return false;
		}
		*properties = form->properties;
		return true;
	}
	if (UNEXPECTED(!snapshot_is_plain(writer, object))) {
		return false;
	}
	*properties = snapshot_all_properties(writer, object);
	return true;
}

#endif
