/*
 * Reads the values of a snapshot (spec/10-snapshot.md). php/src/Snapshot/Reader.php is its twin. C declines faulty
 * snapshots, and classes that are unknown, have changed or are uncommon. The twin then reads the snapshot from its
 * start, and throws if there is a fault.
 *
 * Before C declines, it may call autoloaders, but no hooks. policy.missing tells the twin which class the autoloaders
 * didn't find, so that the twin doesn't call them again. Hooks run at the end, when C can no longer decline.
 *
 * Plan of the file: elements; lists and maps; objects; shapes; tables; values. All of these are in one file because
 * they call each other for every value, and the compiler inlines many of these calls.
 */
#include "reader.h"

static bool read_at(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth, snapshot_read_shape *shape, uint32_t place);
static bool read_shaped_object(snapshot_reader *reader, zval *to, snapshot_read_shape *shape, uint64_t owed, uint32_t depth);

/* Elements */

static bool read_reference(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth)
{
	uint32_t number;
	zval value;
	if (*reader->p++ == SNAPSHOT_REFERENCE) {
		if (UNEXPECTED(!snapshot_read_count(reader, &number)) || UNEXPECTED(number >= reader->references_count)) {
			return false;
		}
		GC_ADDREF(reader->references[number]);
		ZVAL_REF(to, reader->references[number]);
		return true;
	}
	if (reader->references_count == reader->references_size) {
		reader->references_size = reader->references_size == 0 ? 8 : 2 * reader->references_size;
		reader->references = safe_erealloc(reader->references, reader->references_size, sizeof(*reader->references), 0);
	}
	zval slot;
	ZVAL_NEW_EMPTY_REF(&slot);
	ZVAL_NULL(Z_REFVAL(slot));
	reader->references[reader->references_count++] = Z_REF(slot);
	if (UNEXPECTED(!snapshot_read_value(reader, &value, owed, depth))) {
		return false;
	}
	if (UNEXPECTED(ZEND_REF_HAS_TYPE_SOURCES(Z_REF(slot)))) { /* a typed property inside `value` holds the reference */
		zval_ptr_dtor(&value);
		return false;
	}
	ZVAL_COPY_VALUE(Z_REFVAL(slot), &value);
	Z_ADDREF(slot);
	ZVAL_COPY_VALUE(to, &slot);
	return true;
}

/* Reads an element of a list, map or shape. The element may be a reference. */
static zend_always_inline bool read_element(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth, snapshot_read_shape *shape, uint32_t place)
{
	if (UNEXPECTED(reader->p == reader->end)) {
		return false;
	}
	uint8_t head = *reader->p;
	if (head < SNAPSHOT_STRING) {
		reader->p++;
		ZVAL_LONG(to, head);
		return true;
	}
	if (UNEXPECTED(head == SNAPSHOT_NEW_REFERENCE || head == SNAPSHOT_REFERENCE)) {
		return read_reference(reader, to, owed, depth);
	}
	return read_at(reader, to, owed, depth, shape, place);
}

/*
 * Copies shape->row. Adds no references to its values, because they are nulls, or early_row() replaces them with nulls
 * at once.
 */
static zend_always_inline zend_array *copy_row(const snapshot_read_shape *shape)
{
	const zend_array *from = shape->row;
	zend_array *row = emalloc(sizeof(*row));
	memcpy(row, from, sizeof(*row));
	GC_TYPE_INFO(row) = GC_ARRAY; /* clears the garbage collector's mark, which belongs to the original */
	GC_SET_REFCOUNT(row, 1);
	void *data = emalloc(HT_SIZE(from));
	memcpy(data, HT_GET_DATA_ADDR(from), HT_USED_SIZE(from));
	HT_SET_DATA_ADDR(row, data);
	if (UNEXPECTED(shape->counts_keys)) {
		for (uint32_t i = 0; i < row->nNumUsed; i++) {
			zend_string_addref(row->arData[i].key);
		}
	}
	return row;
}

/*
 * Returns the first or the second array of a shape. The first is the shape's row itself, so a shape that occurs once
 * needs no copy. For the second, the shape gets a new row of nulls, because the old row now has values of the first
 * array.
 */
static zend_never_inline zend_array *early_row(snapshot_read_shape *shape)
{
	if (!shape->is_lent) {
		shape->is_lent = true;
		GC_ADDREF(shape->row);
		return shape->row;
	}
	zend_array *apart = copy_row(shape);
	for (uint32_t i = 0; i < apart->nNumUsed; i++) {
		ZVAL_NULL(&apart->arData[i].val);
	}
	zend_array_release(shape->row);
	shape->row = apart;
	shape->is_apart = true;
	return copy_row(shape);
}

/* Returns an array with the keys of a shape, and nulls as values. */
static zend_always_inline zend_array *new_row(snapshot_read_shape *shape)
{
	return EXPECTED(shape->is_apart) ? copy_row(shape) : early_row(shape);
}

/*
 * Tells whether a container may be opened. The depth must allow it, and a byte must remain for each of its values and
 * each owed value of the containers around it.
 */
static zend_always_inline bool may_open(const snapshot_reader *reader, uint64_t count, uint64_t owed, uint32_t depth)
{
	return EXPECTED(depth < reader->max_depth) && EXPECTED(count + owed <= snapshot_left(reader));
}

/* Lists and maps */

/* Makes a list of nulls. */
static zend_array *new_list(uint32_t count)
{
	zend_array *list = zend_new_array(count);
	zend_hash_real_init_packed(list);
	for (uint32_t i = 0; i < count; i++) {
		ZVAL_NULL(&list->arPacked[i]);
	}
	list->nNumUsed = list->nNumOfElements = count;
	list->nNextFreeElement = count;
	return list;
}

static bool read_list(snapshot_reader *reader, zval *to, uint32_t count, uint64_t owed, uint32_t depth)
{
	if (UNEXPECTED(!may_open(reader, count, owed, depth))) {
		return false;
	}
	if (count == 0) {
		ZVAL_EMPTY_ARRAY(to);
		return true;
	}
	zend_array *list = zend_new_array(count);
	zend_hash_real_init_packed(list);
	owed += count;
	uint32_t i = 0;
	while (i < count && EXPECTED(read_element(reader, &list->arPacked[i], --owed, depth + 1, NULL, 0))) {
		i++;
	}
	list->nNumUsed = list->nNumOfElements = i;
	list->nNextFreeElement = i;
	if (UNEXPECTED(i < count)) {
		zend_array_release(list);
		return false;
	}
	ZVAL_ARR(to, list);
	return true;
}

/*
 * Reads the count of a map, or of a list that is a column or a table. Returns false if the count is faulty, 0 or too
 * large, or if the container is nested too deeply.
 */
static bool read_container(snapshot_reader *reader, uint32_t *count, uint32_t depth)
{
	return snapshot_read_count(reader, count) && *count != 0 && *count < HT_MAX_SIZE / 2 && depth < reader->max_depth;
}

static bool read_column_list(snapshot_reader *reader, zval *to, uint32_t depth)
{
	uint32_t count;
	snapshot_cells cells;
	if (UNEXPECTED(!read_container(reader, &count, depth))) {
		return false;
	}
	bool is_good = snapshot_read_column(reader, &cells, count, depth) && cells.kind != SNAPSHOT_MIXED;
	if (EXPECTED(is_good)) {
		zend_array *list = zend_new_array(count);
		zend_hash_real_init_packed(list);
		snapshot_fill_cells(&cells, list->arPacked, sizeof(zval), count);
		list->nNumUsed = list->nNumOfElements = count;
		list->nNextFreeElement = count;
		ZVAL_ARR(to, list);
	}
	snapshot_free_cells(&cells);
	return is_good;
}

typedef struct {
	snapshot_read_shape *shape;
	uint32_t rows;
	uint32_t places;
	uint32_t mixed; /* number of mixed columns, whose cells come later, row by row */
	uint32_t read;  /* number of columns read so far, including a faulty one */
	snapshot_cells *columns;
} read_table;

static bool read_columns(snapshot_reader *reader, read_table *table, uint32_t rows, uint64_t *owed, uint32_t depth);
static bool fill_rows(snapshot_reader *reader, const read_table *table, char *to, size_t stride, uint64_t owed, uint32_t depth);
static void free_columns(read_table *table);

static bool read_table_list(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth)
{
	uint32_t count;
	read_table table;
	if (UNEXPECTED(!read_container(reader, &count, depth))) {
		return false;
	}
	bool is_good = read_columns(reader, &table, count, &owed, depth);
	if (EXPECTED(is_good)) {
		zend_array *list = new_list(count);
		is_good = fill_rows(reader, &table, (char *) list->arPacked, sizeof(zval), owed, depth);
		if (EXPECTED(is_good)) {
			ZVAL_ARR(to, list);
		} else {
			zend_array_release(list);
		}
	}
	free_columns(&table);
	return is_good;
}

static bool read_map_values(snapshot_reader *reader, zend_array *map, uint64_t owed, uint32_t depth)
{
	uint32_t count = map->nNumUsed;
	if (UNEXPECTED(!may_open(reader, count, owed, depth))) {
		return false;
	}
	owed += count;
	for (uint32_t i = 0; i < count; i++) {
		if (UNEXPECTED(!read_element(reader, &map->arData[i].val, --owed, depth + 1, NULL, 0))) {
			ZVAL_NULL(&map->arData[i].val);
			return false;
		}
	}
	return true;
}

static bool read_map_column(snapshot_reader *reader, zend_array *map, uint32_t depth)
{
	snapshot_cells cells;
	bool is_good = snapshot_read_column(reader, &cells, map->nNumUsed, depth) && cells.kind != SNAPSHOT_MIXED;
	if (EXPECTED(is_good)) {
		snapshot_fill_cells(&cells, &map->arData->val, sizeof(Bucket), map->nNumUsed);
	}
	snapshot_free_cells(&cells);
	return is_good;
}

static bool read_map_table(snapshot_reader *reader, zend_array *map, uint64_t owed, uint32_t depth)
{
	read_table table;
	bool is_good = read_columns(reader, &table, map->nNumUsed, &owed, depth)
		&& fill_rows(reader, &table, (char *) map->arData, sizeof(Bucket), owed, depth);
	free_columns(&table);
	return is_good;
}

static bool read_map(snapshot_reader *reader, zval *to, uint8_t head, uint64_t owed, uint32_t depth)
{
	uint32_t count;
	if (UNEXPECTED(!read_container(reader, &count, depth))) {
		return false;
	}
	zend_array *map = snapshot_read_keys(reader, count);
	if (UNEXPECTED(map == NULL)) {
		return false;
	}
	bool is_good;
	if (head == SNAPSHOT_MAP) {
		is_good = read_map_values(reader, map, owed, depth);
	} else if (head == SNAPSHOT_COLUMN_MAP) {
		is_good = read_map_column(reader, map, depth);
	} else {
		is_good = read_map_table(reader, map, owed, depth);
	}
	if (UNEXPECTED(!is_good)) {
		zend_array_release(map);
		return false;
	}
	ZVAL_ARR(to, map);
	return true;
}

/* Objects */

static bool read_row(snapshot_reader *reader, zend_array *row, uint64_t owed, uint32_t depth, snapshot_read_shape *shape);

/* Puts a value into its property, and takes over the value. Returns false if the property doesn't accept it. */
static zend_always_inline bool put_value(zend_object *object, const snapshot_read_shape *shape, uint32_t place, zval *value)
{
	const snapshot_slot *slot = &shape->plan->slots[place];
	if (UNEXPECTED(slot->offset == 0)) {
		snapshot_add_dynamic(object, shape->names[place], value);
		return true;
	}
	if (UNEXPECTED(slot->checks != NULL) && UNEXPECTED(!snapshot_check_slot(slot, value))) {
		zval_ptr_dtor(value);
		return false;
	}
	zval *property = OBJ_PROP(object, slot->offset);
	ZVAL_COPY_VALUE(property, value);
	Z_PROP_FLAG_P(property) = 0;
	return true;
}

/* Schedules the hook of an object that now has all its properties, if there is a hook. */
static zend_always_inline void finish_object(snapshot_reader *reader, zend_object *object, const snapshot_plan *plan)
{
	if (UNEXPECTED(plan != NULL) && UNEXPECTED(plan->hook != NULL)) {
		zval argument;
		ZVAL_UNDEF(&argument);
		if (plan->takes_data) { /* only called if there are no values, so the array is empty */
			ZVAL_EMPTY_ARRAY(&argument);
		}
		snapshot_call_later(reader, object, plan->hook, &argument);
	}
}

static bool read_properties(snapshot_reader *reader, zend_object *object, uint64_t owed, uint32_t depth, snapshot_read_shape *shape)
{
	owed += shape->count;
	for (uint32_t place = 0; place < shape->count; place++) {
		zval value;
		if (UNEXPECTED(!read_element(reader, &value, --owed, depth + 1, shape, place)) || UNEXPECTED(!put_value(object, shape, place, &value))) {
			return false;
		}
	}
	finish_object(reader, object, shape->plan);
	return true;
}

/* Reads the values of a shape into an array: the properties of a stdClass, or the argument of __unserialize(). */
static bool read_entries(snapshot_reader *reader, zend_object *object, uint64_t owed, uint32_t depth, snapshot_read_shape *shape)
{
	zend_array *row = new_row(shape);
	if (shape->plan == NULL) {
		object->properties = row;
		return read_row(reader, row, owed, depth, shape);
	}
	zval data;
	ZVAL_ARR(&data, row);
	if (UNEXPECTED(!read_row(reader, row, owed, depth, shape))) {
		zval_ptr_dtor(&data);
		return false;
	}
	snapshot_call_later(reader, object, shape->plan->hook, &data);
	return true;
}

static bool read_object_data(snapshot_reader *reader, zend_object *object, uint64_t owed, uint32_t depth, const snapshot_read_shape *shape)
{
	zval data;
	if (shape->head == SNAPSHOT_NEW_LEGACY) {
		zend_string *text = snapshot_read_text(reader);
		if (UNEXPECTED(text == NULL)) {
			return false;
		}
		ZVAL_STR(&data, text);
	} else if (UNEXPECTED(!snapshot_read_value(reader, &data, owed, depth + 1))) {
		return false;
	} else if (UNEXPECTED(Z_TYPE(data) != IS_ARRAY)
		|| (UNEXPECTED(shape->plan->takes_iterator) && UNEXPECTED(!snapshot_check_iterator(reader, &data, depth)))) {
		zval_ptr_dtor(&data);
		return false;
	}
	snapshot_call_later(reader, object, shape->plan->hook, &data);
	return true;
}

static bool read_shaped_object(snapshot_reader *reader, zval *to, snapshot_read_shape *shape, uint64_t owed, uint32_t depth)
{
	if (shape->head == SNAPSHOT_NEW_CASE) {
		ZVAL_OBJ_COPY(to, shape->enum_case);
		return true;
	}
	bool has_properties = shape->head == SNAPSHOT_NEW_OBJECT;
	if (UNEXPECTED(!may_open(reader, has_properties ? shape->count : 1, owed, depth)) || UNEXPECTED(!snapshot_pay(reader, shape->cost, 1))) {
		return false;
	}
	zend_object *object = snapshot_new_object(reader, shape);
	if (UNEXPECTED(object == NULL)) {
		return false;
	}
	bool is_good;
	if (!has_properties) {
		is_good = read_object_data(reader, object, owed, depth, shape);
	} else if (shape->row != NULL) {
		is_good = read_entries(reader, object, owed, depth, shape);
	} else if (shape->plan != NULL) {
		is_good = read_properties(reader, object, owed, depth, shape);
	} else { /* a stdClass without properties */
		is_good = true;
	}
	if (EXPECTED(is_good)) {
		ZVAL_OBJ_COPY(to, object);
	}
	return is_good;
}

static bool read_object_again(snapshot_reader *reader, zval *to)
{
	uint32_t number;
	if (UNEXPECTED(!snapshot_read_count(reader, &number)) || UNEXPECTED(number >= reader->objects_count)) {
		return false;
	}
	zend_object *object = snapshot_numbered_row(reader, number);
	if (UNEXPECTED(object == NULL)) {
		return false;
	}
	ZVAL_OBJ_COPY(to, object);
	return true;
}

/* Shapes */

static void remember(snapshot_read_shape *shape, uint32_t place, zend_array *array)
{
	if (UNEXPECTED(shape->latest == NULL)) {
		shape->latest = ecalloc(shape->count, sizeof(*shape->latest));
	} else if (shape->latest[place] != NULL) {
		zend_array_release(shape->latest[place]);
	}
	GC_ADDREF(array);
	shape->latest[place] = array;
}

/* Reads the values of a shape into a row of nulls. */
static bool read_row(snapshot_reader *reader, zend_array *row, uint64_t owed, uint32_t depth, snapshot_read_shape *shape)
{
	uint32_t count = shape->count;
	owed += count;
	for (uint32_t place = 0; place < count; place++) {
		if (UNEXPECTED(!read_element(reader, &row->arData[place].val, --owed, depth + 1, shape, place))) {
			ZVAL_NULL(&row->arData[place].val);
			return false;
		}
	}
	return true;
}

static bool read_shaped(snapshot_reader *reader, zval *to, uint32_t number, uint64_t owed, uint32_t depth)
{
	if (UNEXPECTED(number >= reader->shapes_count)) {
		return false;
	}
	snapshot_read_shape *shape = reader->shapes[number];
	if (UNEXPECTED(shape->head != SNAPSHOT_NEW_ARRAY)) {
		return read_shaped_object(reader, to, shape, owed, depth);
	}
	if (UNEXPECTED(!may_open(reader, shape->count, owed, depth)) || UNEXPECTED(!snapshot_pay(reader, shape->cost, 1))) {
		return false;
	}
	zend_array *row = new_row(shape);
	if (UNEXPECTED(!read_row(reader, row, owed, depth, shape))) {
		zend_array_release(row);
		return false;
	}
	ZVAL_ARR(to, row);
	return true;
}

static bool read_same(snapshot_reader *reader, zval *to, const snapshot_read_shape *shape, uint32_t place)
{
	zend_array *latest = shape != NULL && shape->latest != NULL ? shape->latest[place] : NULL;
	if (UNEXPECTED(latest == NULL) || UNEXPECTED(!snapshot_array_is_flat(latest))
		|| UNEXPECTED(!snapshot_charge(reader, (uint64_t) zend_hash_num_elements(latest) + 1))) {
		return false;
	}
	GC_ADDREF(latest);
	ZVAL_ARR(to, latest);
	return true;
}

/* Tables */

static bool read_table_shape(snapshot_reader *reader, read_table *table, uint32_t depth)
{
	uint32_t number;
	if (UNEXPECTED(reader->p == reader->end)) {
		return false;
	}
	uint8_t head = *reader->p++;
	if (head >= SNAPSHOT_SHAPE && head < SNAPSHOT_LIST) {
		number = head & 0x1f;
	} else if (head == SNAPSHOT_ANY_SHAPE) {
		if (UNEXPECTED(!snapshot_read_count(reader, &number)) || UNEXPECTED(number > UINT32_MAX - 32)) {
			return false;
		}
		number += 32;
	} else {
		bool is_new = head == SNAPSHOT_NEW_ARRAY || head == SNAPSHOT_NEW_OBJECT;
		if (UNEXPECTED(!is_new) || UNEXPECTED(!snapshot_read_new_shape(reader, head, depth))) {
			return false;
		}
		number = reader->shapes_count - 1;
	}
	if (UNEXPECTED(number >= reader->shapes_count)) {
		return false;
	}
	table->shape = reader->shapes[number];
	table->places = table->shape->count;
	return table->places > 0 && (table->shape->head == SNAPSHOT_NEW_ARRAY || table->shape->head == SNAPSHOT_NEW_OBJECT);
}

/*
 * Reads a table's shape and the heads of its columns. Adds the number of cells in mixed columns to `owed`, because each
 * of these cells needs at least one byte. The caller has to call free_columns() afterwards, even after a failure.
 */
static bool read_columns(snapshot_reader *reader, read_table *table, uint32_t rows, uint64_t *owed, uint32_t depth)
{
	bool pays = false;
	memset(table, 0, sizeof(*table));
	table->rows = rows;
	if (UNEXPECTED(!read_table_shape(reader, table, depth)) || UNEXPECTED(depth + 1 >= reader->max_depth)
		|| UNEXPECTED(!snapshot_pay(reader, table->shape->cost, rows))) {
		return false;
	}
	table->columns = safe_emalloc(table->places, sizeof(*table->columns), 0);
	while (table->read < table->places) {
		snapshot_cells *cells = &table->columns[table->read++];
		if (UNEXPECTED(!snapshot_read_column(reader, cells, rows, depth + 1))) {
			return false;
		}
		pays = pays || cells->pays;
		table->mixed += cells->kind == SNAPSHOT_MIXED;
	}
	*owed += (uint64_t) rows * table->mixed;
	return pays && *owed <= snapshot_left(reader);
}

static void free_columns(read_table *table)
{
	for (uint32_t i = 0; i < table->read; i++) {
		snapshot_free_cells(&table->columns[i]);
	}
	if (table->columns != NULL) {
		efree(table->columns);
	}
}

/* Reads one row of a table into an array of nulls. */
static zend_always_inline bool fill_row(snapshot_reader *reader, const read_table *table, zend_array *row, uint64_t *owed, uint32_t depth)
{
	for (uint32_t place = 0; place < table->places; place++) {
		snapshot_cells *cells = &table->columns[place];
		zval *cell = &row->arData[place].val;
		if (cells->kind != SNAPSHOT_MIXED) {
			snapshot_next_cell(cells, cell);
		} else if (UNEXPECTED(!read_element(reader, cell, --*owed, depth + 2, table->shape, place))) {
			ZVAL_NULL(cell);
			return false;
		}
	}
	return true;
}

static bool fill_object(snapshot_reader *reader, const read_table *table, zend_object *object, uint64_t *owed, uint32_t depth)
{
	for (uint32_t place = 0; place < table->places; place++) {
		snapshot_cells *cells = &table->columns[place];
		zval value;
		if (cells->kind != SNAPSHOT_MIXED) {
			snapshot_next_cell(cells, &value);
		} else if (UNEXPECTED(!read_element(reader, &value, --*owed, depth + 2, table->shape, place))) {
			return false;
		}
		if (UNEXPECTED(!put_value(object, table->shape, place, &value))) {
			return false;
		}
	}
	finish_object(reader, object, table->shape->plan);
	return true;
}

/* Reads one row of a table: the properties of a stdClass, or the argument of __unserialize(). */
static bool fill_entries(snapshot_reader *reader, const read_table *table, zend_object *object, uint64_t *owed, uint32_t depth)
{
	const snapshot_plan *plan = table->shape->plan;
	zend_array *row = new_row(table->shape);
	if (plan == NULL) {
		object->properties = row;
		return fill_row(reader, table, row, owed, depth);
	}
	zval data;
	ZVAL_ARR(&data, row);
	if (UNEXPECTED(!fill_row(reader, table, row, owed, depth))) {
		zval_ptr_dtor(&data);
		return false;
	}
	snapshot_call_later(reader, object, plan->hook, &data);
	return true;
}

static bool fill_objects(snapshot_reader *reader, const read_table *table, char *to, size_t stride, uint64_t owed, uint32_t depth)
{
	uint32_t first = reader->objects_count;
	bool has_row = table->shape->row != NULL;
	snapshot_number_rows(reader, table->shape, table->rows);
	for (uint32_t i = 0; i < table->rows; i++, to += stride) {
		zend_object *object = snapshot_numbered_row(reader, first + i);
		if (UNEXPECTED(object == NULL)) {
			return false;
		}
		ZVAL_OBJ_COPY((zval *) to, object);
		if (UNEXPECTED(!(has_row ? fill_entries : fill_object)(reader, table, object, &owed, depth))) {
			return false;
		}
	}
	return true;
}

/* Makes the rows of a table. On failure, the caller frees the container with the rows made so far. */
static bool fill_rows(snapshot_reader *reader, const read_table *table, char *to, size_t stride, uint64_t owed, uint32_t depth)
{
	if (table->shape->head != SNAPSHOT_NEW_ARRAY) {
		return fill_objects(reader, table, to, stride, owed, depth);
	}
	for (uint32_t i = 0; i < table->rows; i++, to += stride) {
		zend_array *row = new_row(table->shape);
		ZVAL_ARR((zval *) to, row);
		if (UNEXPECTED(!fill_row(reader, table, row, &owed, depth))) {
			return false;
		}
	}
	return true;
}

/* Values */

static bool read_wide_int(snapshot_reader *reader, zval *to, uint8_t head)
{
	size_t width = (size_t) 1 << (head - SNAPSHOT_INT8);
	if (UNEXPECTED(width > snapshot_left(reader))) {
		return false;
	}
	switch (head) {
		case SNAPSHOT_INT8:
			ZVAL_LONG(to, (int8_t) *reader->p);
			break;
		case SNAPSHOT_INT16:
			ZVAL_LONG(to, (int16_t) snapshot_get16(reader->p));
			break;
		case SNAPSHOT_INT32:
			ZVAL_LONG(to, (int32_t) snapshot_get32(reader->p));
			break;
		default:
			ZVAL_LONG(to, (int64_t) snapshot_get64(reader->p));
	}
	reader->p += width;
	return true;
}

static bool read_nested(snapshot_reader *reader, zval *to, uint8_t head, uint64_t owed, uint32_t depth)
{
	uint32_t count;
	switch (head) {
		case SNAPSHOT_ANY_SHAPE:
			return snapshot_read_count(reader, &count) && count <= UINT32_MAX - 32 && read_shaped(reader, to, 32 + count, owed, depth);
		case SNAPSHOT_NEW_ARRAY:
		case SNAPSHOT_NEW_OBJECT:
		case SNAPSHOT_NEW_DATA:
		case SNAPSHOT_NEW_LEGACY:
		case SNAPSHOT_NEW_CASE:
			return snapshot_read_new_shape(reader, head, depth) && read_shaped(reader, to, reader->shapes_count - 1, owed, depth);
		case SNAPSHOT_OBJECT:
			return read_object_again(reader, to);
		case SNAPSHOT_ANY_LIST:
			return snapshot_read_count(reader, &count) && read_list(reader, to, count, owed, depth);
		case SNAPSHOT_COLUMN_LIST:
			return read_column_list(reader, to, depth);
		case SNAPSHOT_TABLE_LIST:
			return read_table_list(reader, to, owed, depth);
		case SNAPSHOT_MAP:
		case SNAPSHOT_COLUMN_MAP:
		case SNAPSHOT_TABLE_MAP:
			return read_map(reader, to, head, owed, depth);
		default: /* a reserved byte, or a reference where none is allowed */
			return false;
	}
}

static bool read_uncommon(snapshot_reader *reader, zval *to, uint8_t head)
{
	uint32_t number;
	switch (head) {
		case SNAPSHOT_INT8:
		case SNAPSHOT_INT16:
		case SNAPSHOT_INT32:
		case SNAPSHOT_INT64:
			return read_wide_int(reader, to, head);
		case SNAPSHOT_DOUBLE:
			if (UNEXPECTED(snapshot_left(reader) < 8)) {
				return false;
			}
			ZVAL_DOUBLE(to, snapshot_get_double(reader->p));
			reader->p += 8;
			return true;
		case SNAPSHOT_STRING8:
			if (UNEXPECTED(reader->p == reader->end)) {
				return false;
			}
			reader->p++;
			return snapshot_read_numbered(reader, to, reader->p[-1]);
		case SNAPSHOT_LONG_STRING:
			return snapshot_read_long(reader, to);
		case SNAPSHOT_EARLIER8:
			if (UNEXPECTED(reader->p == reader->end)) {
				return false;
			}
			reader->p++;
			return snapshot_read_earlier(reader, to, 48 + (uint32_t) reader->p[-1]);
		default: /* SNAPSHOT_ANY_EARLIER */
			return snapshot_read_count(reader, &number) && number <= UINT32_MAX - 304 && snapshot_read_earlier(reader, to, 304 + number);
	}
}

/*
 * Reads a value. If the value is at a place of a shape, `shape` and `place` name the place. Otherwise `shape` is NULL.
 */
static bool read_at(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth, snapshot_read_shape *shape, uint32_t place)
{
	if (UNEXPECTED(reader->p == reader->end)) {
		return false;
	}
	uint8_t head = *reader->p++;
	bool is_good;
	if (head < SNAPSHOT_STRING) {
		ZVAL_LONG(to, head);
		return true;
	}
	if (head < SNAPSHOT_SHAPE) {
		return snapshot_read_numbered(reader, to, head & 0x1f);
	}
	if (head < SNAPSHOT_LIST) {
		is_good = read_shaped(reader, to, head & 0x1f, owed, depth);
	} else if (head < SNAPSHOT_EARLIER) {
		is_good = read_list(reader, to, head & 0x0f, owed, depth);
	} else if (head < SNAPSHOT_NIL) {
		return snapshot_read_earlier(reader, to, head - SNAPSHOT_EARLIER);
	} else if (head >= SNAPSHOT_NEGATIVE) {
		ZVAL_LONG(to, (zend_long) head - 256);
		return true;
	} else if (head == SNAPSHOT_NIL) {
		ZVAL_NULL(to);
		return true;
	} else if (head == SNAPSHOT_FALSE || head == SNAPSHOT_TRUE) {
		ZVAL_BOOL(to, head == SNAPSHOT_TRUE);
		return true;
	} else if (head >= SNAPSHOT_INT8 && head <= SNAPSHOT_ANY_EARLIER) {
		return read_uncommon(reader, to, head);
	} else if (head == SNAPSHOT_SAME) {
		return read_same(reader, to, shape, place);
	} else {
		is_good = read_nested(reader, to, head, owed, depth);
	}
	if (is_good && shape != NULL && Z_TYPE_P(to) == IS_ARRAY && zend_hash_num_elements(Z_ARR_P(to)) != 0) {
		remember(shape, place, Z_ARR_P(to));
	}
	return is_good;
}

bool snapshot_read_value(snapshot_reader *reader, zval *to, uint64_t owed, uint32_t depth)
{
	return read_at(reader, to, owed, depth, NULL, 0);
}
