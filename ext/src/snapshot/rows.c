/*
 * Decides whether the elements of an array are written as a table, and makes the table's columns
 * (spec/10-snapshot.md#tables). writer.c writes the table.
 */
#include "writer.h"

static zend_always_inline bool has_keys(const Bucket *row, const Bucket *shape, uint32_t places)
{
	for (uint32_t i = 0; i < places; i++) {
		if (row[i].key != shape[i].key && (row[i].key == NULL || row[i].h != shape[i].h || !zend_string_equal_content(row[i].key, shape[i].key))) {
			return false;
		}
	}
	return true;
}

/*
 * Returns the entries of an element that may be a row: an array of 1 to 64 entries that isn't packed. Returns NULL for
 * any other element.
 */
static const Bucket *row_of(snapshot_writer *writer, const zval *element, uint32_t *places)
{
	const zval *row = snapshot_plain(writer, element);
	if (Z_TYPE_P(row) != IS_ARRAY) {
		return NULL;
	}
	zend_array *array = Z_ARR_P(row);
	*places = zend_hash_num_elements(array);
	if (HT_IS_PACKED(array) || *places == 0 || *places > SNAPSHOT_MOST_KEYS) {
		return NULL;
	}
	return EXPECTED(HT_IS_WITHOUT_HOLES(array)) ? array->arData : snapshot_without_holes(writer, array)->arData;
}

/* Puts the cells of all rows into columns. Returns false if a row isn't an array with the keys of the first row. */
static bool gather(snapshot_writer *writer, snapshot_table *table, const snapshot_elements *elements)
{
	const uint32_t rows = table->rows, places = table->places;
	for (uint32_t i = 0; i < rows; i++) {
		uint32_t there;
		const Bucket *row = row_of(writer, snapshot_element(elements, i), &there);
		if (row == NULL || there != places || !has_keys(row, table->shape, places)) {
			return false;
		}
		zval *cell = table->cells + i;
		for (uint32_t place = 0; place < places; place++, cell += rows) {
			ZVAL_COPY_VALUE(cell, snapshot_plain(writer, &row[place].val));
		}
	}
	return true;
}

/* Takes back the numbers that gather_objects() gave to objects, because the objects don't become a table after all. */
static void forget_rows(snapshot_writer *writer, const snapshot_elements *elements, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		snapshot_numbered_object(writer, Z_OBJ_P(snapshot_plain(writer, snapshot_element(elements, i))))->number = 0;
	}
	writer->objects_written -= count;
}

static bool are_alike(const snapshot_properties *one, const snapshot_properties *other)
{
	return one->values.count == other->values.count && one->flags == other->flags && one->declared == other->declared
		&& one->absent == other->absent && (one->names == NULL) == (other->names == NULL)
		&& (one->names == NULL || has_keys(one->names, other->names, one->values.count + one->absent));
}

/*
 * Numbers objects and puts their properties into columns. Stops at the first element that can't be a row. Returns how
 * many objects got numbers.
 */
static uint32_t gather_objects(snapshot_writer *writer, snapshot_table *table, const snapshot_elements *elements)
{
	const uint32_t rows = table->rows, places = table->places;
	for (uint32_t i = 0; i < rows; i++) {
		snapshot_properties properties;
		const zval *row = snapshot_plain(writer, snapshot_element(elements, i));
		if (Z_TYPE_P(row) != IS_OBJECT || Z_OBJCE_P(row) != table->class || !snapshot_properties_of(writer, Z_OBJ_P(row), &properties)
			|| !are_alike(&properties, &table->first)) {
			return i;
		}
		snapshot_numbered *numbered = snapshot_numbered_object(writer, Z_OBJ_P(row));
		if (numbered->number != 0) {
			return i;
		}
		numbered->number = ++writer->objects_written;
		zval *cell = table->cells + i;
		for (uint32_t place = 0; place < places; place++, cell += rows) {
			ZVAL_COPY_VALUE(cell, snapshot_plain(writer, snapshot_element(&properties.values, place)));
		}
	}
	return rows;
}

/* Begins a table of objects. Returns false if the first object can't be a row. */
static bool begin_objects(snapshot_writer *writer, snapshot_table *table, const zval *first)
{
	if (snapshot_is_case(first) || !snapshot_properties_of(writer, Z_OBJ_P(first), &table->first)) {
		return false;
	}
	table->class = Z_OBJCE_P(first);
	table->places = table->first.values.count;
	return table->places > 0;
}

static bool choose_columns(snapshot_writer *writer, snapshot_table *table)
{
	table->columns = safe_emalloc(table->places, sizeof(*table->columns), 0);
	zend_ulong left = writer->elements;
	bool pays = false;
	for (uint32_t place = 0; place < table->places; place++) {
		snapshot_column *column = &table->columns[place];
		snapshot_choose(writer, column, table->cells + (size_t) place * table->rows, table->rows, left);
		left -= column->charge;
		pays = pays || column->charge == 0;
	}
	if (pays) {
		writer->elements = left;
	}
	return pays;
}

void snapshot_free_table(snapshot_table *table)
{
	if (table->columns != NULL) {
		for (uint32_t place = 0; place < table->places; place++) {
			snapshot_free_column(&table->columns[place]);
		}
		efree(table->columns);
	}
	efree(table->cells);
}

bool snapshot_make_table(snapshot_writer *writer, snapshot_table *table, const snapshot_elements *elements)
{
	uint32_t second;
	const zval *first = snapshot_plain(writer, snapshot_element(elements, 0));
	table->rows = elements->count;
	table->class = NULL;
	table->columns = NULL;
	if (Z_TYPE_P(first) == IS_OBJECT) {
		if (!begin_objects(writer, table, first)) {
			return false;
		}
		table->cells = safe_emalloc((size_t) table->rows * table->places, sizeof(zval), 0);
		uint32_t numbered = gather_objects(writer, table, elements);
		if (numbered == table->rows && choose_columns(writer, table)) {
			return true;
		}
		forget_rows(writer, elements, numbered);
		snapshot_free_table(table);
		return false;
	}
	table->shape = row_of(writer, snapshot_element(elements, 0), &table->places);
	if (table->shape == NULL || !snapshot_are_names(table->shape, table->places)
		|| row_of(writer, snapshot_element(elements, 1), &second) == NULL || second != table->places) {
		return false;
	}
	table->cells = safe_emalloc((size_t) table->rows * table->places, sizeof(zval), 0);
	if (!gather(writer, table, elements) || !choose_columns(writer, table)) {
		snapshot_free_table(table);
		return false;
	}
	return true;
}
