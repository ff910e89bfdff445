/*
 * Writes values as a snapshot (spec/10-snapshot.md). php/src/Snapshot/Writer.php is its twin. C declines uncommon
 * objects, and values that can't be written at all. The twin then writes the value, or throws the error.
 *
 * Plan of the file: references; lists and maps; shapes and repeated arrays; objects; tables; values.
 *
 * No user code runs while values are written, because the walk in graph.c has called the hooks before. Only methods of
 * internal classes run, such as DateTime::__serialize(), and they don't change the value. So the writer uses arrays and
 * strings without holding references to them.
 */
#include "writer.h"
#include "classes.h"
#include "snapshot.h"

#include "ext/random/php_random.h"

static bool write_child(snapshot_writer *writer, const zval *element, uint32_t depth);

/* References */

static bool write_reference(snapshot_writer *writer, const zval *element, uint32_t depth)
{
	snapshot_referred *referred = snapshot_find_referred(writer, Z_REF_P(element), false);
	if (referred->number != 0) {
		snapshot_put_head(writer, SNAPSHOT_REFERENCE, referred->number - 1);
		return true;
	}
	referred->number = ++writer->references;
	snapshot_put_byte(writer, SNAPSHOT_NEW_REFERENCE);
	return snapshot_write_value(writer, Z_REFVAL_P(element), depth);
}

/* Lists and maps */

static bool write_children(snapshot_writer *writer, const snapshot_elements *elements, uint32_t depth)
{
	for (uint32_t i = 0; i < elements->count; i++) {
		if (UNEXPECTED(!write_child(writer, snapshot_element(elements, i), depth))) {
			return false;
		}
	}
	return true;
}

static bool write_table(snapshot_writer *writer, const snapshot_table *table, uint32_t depth);

/*
 * Returns the elements as an array of zvals. Replaces PHP references by their values, except references that the
 * snapshot keeps. If this needs a copy, sets `*made` to the copy, which the caller frees. Otherwise sets `*made` to
 * NULL.
 */
static const zval *cells_of(snapshot_writer *writer, const snapshot_elements *elements, zval **made)
{
	*made = NULL;
	if (elements->stride == sizeof(zval)) {
		const zval *cells = (const zval *) elements->first;
		uint32_t i = 0;
		while (i < elements->count && Z_TYPE(cells[i]) != IS_REFERENCE) {
			i++;
		}
		if (EXPECTED(i == elements->count)) {
			return cells;
		}
	}
	zval *cells = safe_emalloc(elements->count, sizeof(zval), 0);
	for (uint32_t i = 0; i < elements->count; i++) {
		ZVAL_COPY_VALUE(&cells[i], snapshot_plain(writer, snapshot_element(elements, i)));
	}
	*made = cells;
	return cells;
}

static bool may_be_column(snapshot_writer *writer, const snapshot_elements *elements)
{
	const zval *first = snapshot_plain(writer, snapshot_element(elements, 0));
	return elements->count >= SNAPSHOT_LEAST_CELLS && (Z_TYPE_P(first) != IS_OBJECT || snapshot_is_case(first));
}

static bool write_list(snapshot_writer *writer, const snapshot_elements *elements, uint32_t depth)
{
	uint32_t count = elements->count;
	snapshot_table table;
	if (count >= SNAPSHOT_LEAST_ROWS && snapshot_make_table(writer, &table, elements)) {
		snapshot_put_head(writer, SNAPSHOT_TABLE_LIST, count);
		bool is_good = write_table(writer, &table, depth);
		snapshot_free_table(&table);
		return is_good;
	}
	if (count >= SNAPSHOT_LEAST_CELLS && may_be_column(writer, elements)) {
		snapshot_column column;
		zval *made;
		bool is_good = true;
		snapshot_choose(writer, &column, cells_of(writer, elements, &made), count, writer->elements);
		bool is_column = column.kind != SNAPSHOT_MIXED;
		if (is_column) {
			writer->elements -= column.charge;
			snapshot_put_head(writer, SNAPSHOT_COLUMN_LIST, count);
			is_good = snapshot_write_column(writer, &column, depth + 1);
		}
		snapshot_free_column(&column);
		if (made != NULL) {
			efree(made);
		}
		if (is_column) {
			return is_good;
		}
	}
	if (count < 16) {
		snapshot_put_byte(writer, (uint8_t) (SNAPSHOT_LIST + count));
	} else {
		snapshot_put_head(writer, SNAPSHOT_ANY_LIST, count);
	}
	return write_children(writer, elements, depth + 1);
}

static bool write_keys(snapshot_writer *writer, const Bucket *entries, uint32_t count)
{
	zval *keys = safe_emalloc(count, sizeof(zval), 0);
	snapshot_column column;
	for (uint32_t i = 0; i < count; i++) {
		if (entries[i].key != NULL) {
			ZVAL_STR(&keys[i], entries[i].key);
		} else {
			ZVAL_LONG(&keys[i], (zend_long) entries[i].h);
		}
	}
	snapshot_choose_keys(writer, &column, keys, count, writer->elements);
	writer->elements -= column.charge;
	bool is_good = snapshot_write_column(writer, &column, 0);
	for (uint32_t i = 0; i < count && is_good && column.kind == SNAPSHOT_MIXED; i++) {
		if (Z_TYPE(keys[i]) == IS_STRING) {
			is_good = snapshot_write_string(writer, Z_STR(keys[i]));
		} else {
			snapshot_reserve(writer, SNAPSHOT_MAX_HEAD);
			writer->p = snapshot_put_int(writer->p, Z_LVAL(keys[i]));
		}
	}
	snapshot_free_column(&column);
	efree(keys);
	return is_good;
}

/* Tells whether any element is a reference that the snapshot keeps. */
static bool has_reference(snapshot_writer *writer, const snapshot_elements *elements)
{
	for (uint32_t i = 0; i < elements->count; i++) {
		if (Z_TYPE_P(snapshot_plain(writer, snapshot_element(elements, i))) == IS_REFERENCE) {
			return true;
		}
	}
	return false;
}

static bool write_map(snapshot_writer *writer, const zend_array *map, uint32_t depth)
{
	const Bucket *entries = map->arData;
	snapshot_elements elements = {(const char *) entries, sizeof(Bucket), map->nNumUsed};
	uint32_t count = elements.count;
	snapshot_table table;
	bool is_good;
	if (UNEXPECTED(writer->walk != 0) && has_reference(writer, &elements)) {
		snapshot_put_head(writer, SNAPSHOT_MAP, count);
		return write_keys(writer, entries, count) && write_children(writer, &elements, depth + 1);
	}
	if (count >= SNAPSHOT_LEAST_ROWS && snapshot_make_table(writer, &table, &elements)) {
		snapshot_put_head(writer, SNAPSHOT_TABLE_MAP, count);
		is_good = write_keys(writer, entries, count) && write_table(writer, &table, depth);
		snapshot_free_table(&table);
		return is_good;
	}
	if (count >= SNAPSHOT_LEAST_CELLS && may_be_column(writer, &elements)) {
		snapshot_column column;
		zval *made;
		is_good = true;
		snapshot_choose(writer, &column, cells_of(writer, &elements, &made), count, writer->elements);
		bool is_column = column.kind != SNAPSHOT_MIXED;
		if (is_column) {
			writer->elements -= column.charge;
			snapshot_put_head(writer, SNAPSHOT_COLUMN_MAP, count);
			is_good = write_keys(writer, entries, count) && snapshot_write_column(writer, &column, depth + 1);
		}
		snapshot_free_column(&column);
		if (made != NULL) {
			efree(made);
		}
		if (is_column) {
			return is_good;
		}
	}
	snapshot_put_head(writer, SNAPSHOT_MAP, count);
	return write_keys(writer, entries, count) && write_children(writer, &elements, depth + 1);
}

/* Shapes, and repeated arrays */

/*
 * Writes an array at a place of a shape. If the latest array at the place was equal and the limits allow it, writes
 * only SNAPSHOT_SAME.
 */
static bool write_array_at(snapshot_writer *writer, const zval *value, uint32_t shape, uint32_t place, uint32_t depth)
{
	const zend_array *array = Z_ARR_P(value);
	const zend_array **latest = writer->shapes[shape].latest;
	uint32_t count = zend_hash_num_elements(array);
	if (latest != NULL && latest[place] != NULL && count < writer->elements && depth < writer->max_depth
		&& snapshot_is_same(writer, latest[place], array) && (writer->walk == 0 || snapshot_is_flat(writer, array))) {
		writer->elements -= count + 1;
		snapshot_put_byte(writer, SNAPSHOT_SAME);
		return true;
	}
	bool is_flat = snapshot_is_flat(writer, array);
	if (UNEXPECTED(!snapshot_write_value(writer, value, depth))) {
		return false;
	}
	/* Set only now, because an array inside this one may have been written at the same place of the same shape. */
	snapshot_shape *of = &writer->shapes[shape];
	if (of->latest == NULL && is_flat) {
		of->latest = ecalloc(of->count, sizeof(*of->latest));
	}
	if (of->latest != NULL) {
		of->latest[place] = is_flat ? array : NULL;
	}
	return true;
}

static bool write_slot(snapshot_writer *writer, const zval *value, uint32_t shape, uint32_t place, uint32_t depth)
{
	if (Z_TYPE_P(value) == IS_ARRAY && zend_hash_num_elements(Z_ARR_P(value)) != 0) {
		return write_array_at(writer, value, shape, place, depth);
	}
	return write_child(writer, value, depth);
}

static bool write_shaped(snapshot_writer *writer, const zend_array *array, uint32_t depth)
{
	uint32_t shape;
	if (UNEXPECTED(!snapshot_write_array_shape(writer, array->arData, array->nNumUsed, &shape))) {
		return false;
	}
	for (uint32_t place = 0; place < array->nNumUsed; place++) {
		if (UNEXPECTED(!write_slot(writer, snapshot_plain(writer, &array->arData[place].val), shape, place, depth + 1))) {
			return false;
		}
	}
	return true;
}

/* Objects */

static bool write_properties(snapshot_writer *writer, zend_object *object, const snapshot_properties *properties, uint32_t depth)
{
	uint32_t shape;
	if (UNEXPECTED(!snapshot_write_object_shape(writer, object->ce, properties, &shape))) {
		return false;
	}
	for (uint32_t place = 0; place < properties->values.count; place++) {
		if (UNEXPECTED(!write_slot(writer, snapshot_plain(writer, snapshot_element(&properties->values, place)), shape, place, depth + 1))) {
			return false;
		}
	}
	return true;
}

/* Writes an object whose __serialize() PHP or an extension defines, such as a DateTime. */
static bool write_own_data(snapshot_writer *writer, zend_object *object, uint32_t depth)
{
	zval data;
	zend_array *array = snapshot_own_data(object);
	if (UNEXPECTED(array == NULL)) {
		return false;
	}
	ZVAL_ARR(&data, snapshot_keep_array(writer, array));
	return snapshot_write_data_shape(writer, object->ce, SNAPSHOT_NEW_DATA) && snapshot_write_value(writer, &data, depth + 1);
}

/* Writes an object in the form that the walk has found. */
static bool write_form(snapshot_writer *writer, zend_object *object, const snapshot_form *form, uint32_t depth)
{
	if (form->head == SNAPSHOT_NEW_OBJECT) {
		return write_properties(writer, object, &form->properties, depth);
	}
	return snapshot_write_data_shape(writer, object->ce, form->head) && snapshot_write_value(writer, &form->data, depth + 1);
}

static bool write_object(snapshot_writer *writer, zend_object *object, uint32_t depth)
{
	snapshot_properties properties;
	snapshot_numbered *numbered = snapshot_numbered_object(writer, object);
	if (numbered->number != 0) {
		snapshot_put_head(writer, SNAPSHOT_OBJECT, numbered->number - 1);
		return true;
	}
	if (UNEXPECTED(depth >= writer->max_depth) || UNEXPECTED(writer->needs_walk)) {
		return false;
	}
	if (UNEXPECTED(writer->walk != 0)) {
		const snapshot_form *form = numbered->form;
		if (form == NULL) {
			snapshot_put_byte(writer, SNAPSHOT_NIL);
			return true;
		}
		numbered->number = ++writer->objects_written;
		return write_form(writer, object, form, depth);
	}
	if (UNEXPECTED(snapshot_has_own_data(object))) {
		numbered->number = ++writer->objects_written;
		return write_own_data(writer, object, depth);
	}
	if (UNEXPECTED(!snapshot_properties_of(writer, object, &properties))) {
		writer->needs_walk = true;
		return false;
	}
	numbered->number = ++writer->objects_written;
	return write_properties(writer, object, &properties, depth);
}

/* Tables */

static bool write_table(snapshot_writer *writer, const snapshot_table *table, uint32_t depth)
{
	uint32_t shape;
	if (depth + 1 >= writer->max_depth || !(table->class == NULL
		? snapshot_write_array_shape(writer, table->shape, table->places, &shape)
		: snapshot_write_object_shape(writer, table->class, &table->first, &shape))) {
		return false;
	}
	uint8_t mixed[SNAPSHOT_MOST_PROPERTIES];
	uint32_t mixed_count = 0;
	for (uint32_t place = 0; place < table->places; place++) {
		if (UNEXPECTED(!snapshot_write_column(writer, &table->columns[place], depth + 2))) {
			return false;
		}
		if (table->columns[place].kind == SNAPSHOT_MIXED) {
			mixed[mixed_count++] = (uint8_t) place;
		}
	}
	for (uint32_t row = 0; row < table->rows && mixed_count > 0; row++) {
		for (uint32_t i = 0; i < mixed_count; i++) {
			if (UNEXPECTED(!write_slot(writer, &table->columns[mixed[i]].cells[row], shape, mixed[i], depth + 2))) {
				return false;
			}
		}
	}
	return true;
}

/* Values */

static bool is_list(const zend_array *array)
{
	if (HT_IS_PACKED(array)) {
		return true; /* the caller has removed the holes of deleted elements */
	}
	for (uint32_t i = 0; i < array->nNumUsed; i++) {
		if (array->arData[i].key != NULL || array->arData[i].h != i) {
			return false;
		}
	}
	return true;
}

static bool write_array(snapshot_writer *writer, zend_array *array, uint32_t depth)
{
	if (UNEXPECTED(depth >= writer->max_depth) || UNEXPECTED(writer->needs_walk)) {
		return false;
	}
	if (zend_hash_num_elements(array) == 0) {
		snapshot_put_byte(writer, SNAPSHOT_LIST);
		return true;
	}
	if (UNEXPECTED(!HT_IS_WITHOUT_HOLES(array))) {
		array = snapshot_without_holes(writer, array);
	}
	if (is_list(array)) {
		snapshot_elements elements;
		if (HT_IS_PACKED(array)) {
			elements = (snapshot_elements) {(const char *) array->arPacked, sizeof(zval), array->nNumUsed};
		} else {
			elements = (snapshot_elements) {(const char *) array->arData, sizeof(Bucket), array->nNumUsed};
		}
		return write_list(writer, &elements, depth);
	}
	if (array->nNumUsed <= SNAPSHOT_MOST_KEYS && snapshot_are_names(array->arData, array->nNumUsed)) {
		return write_shaped(writer, array, depth);
	}
	return write_map(writer, array, depth);
}

/* Writes an element of a list, map or shape. */
static bool write_child(snapshot_writer *writer, const zval *element, uint32_t depth)
{
	const zval *value = snapshot_plain(writer, element);
	return EXPECTED(Z_TYPE_P(value) != IS_REFERENCE) ? snapshot_write_value(writer, value, depth) : write_reference(writer, value, depth);
}

bool snapshot_write_value(snapshot_writer *writer, const zval *value, uint32_t depth)
{
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			return snapshot_write_string(writer, Z_STR_P(value));
		case IS_LONG:
			snapshot_reserve(writer, SNAPSHOT_MAX_HEAD);
			writer->p = snapshot_put_int(writer->p, Z_LVAL_P(value));
			return true;
		case IS_ARRAY:
			return write_array(writer, Z_ARR_P(value), depth);
		case IS_NULL:
			snapshot_put_byte(writer, SNAPSHOT_NIL);
			return true;
		case IS_FALSE:
			snapshot_put_byte(writer, SNAPSHOT_FALSE);
			return true;
		case IS_TRUE:
			snapshot_put_byte(writer, SNAPSHOT_TRUE);
			return true;
		case IS_DOUBLE:
			snapshot_reserve(writer, SNAPSHOT_MAX_HEAD);
			*writer->p++ = SNAPSHOT_DOUBLE;
			writer->p = snapshot_put_double(writer->p, Z_DVAL_P(value));
			return true;
		case IS_OBJECT:
			return snapshot_is_case(value) ? snapshot_write_case(writer, Z_OBJ_P(value)) : write_object(writer, Z_OBJ_P(value), depth);
		default: /* a resource */
			return false;
	}
}

/* Returns the value as a snapshot, or NULL if the writer stops. */
static zend_string *write_snapshot(snapshot_writer *writer, const zval *value)
{
	writer->out = zend_string_alloc(512 - _ZSTR_HEADER_SIZE - 1, 0);
	writer->p = (uint8_t *) ZSTR_VAL(writer->out);
	writer->end = writer->p + ZSTR_LEN(writer->out);
	memcpy(writer->p, SNAPSHOT_HEADER, SNAPSHOT_HEADER_LENGTH);
	writer->p += SNAPSHOT_HEADER_LENGTH;
	if (UNEXPECTED(!snapshot_write_value(writer, value, 0)) || UNEXPECTED(writer->needs_walk)) {
		zend_string_efree(writer->out);
		return NULL;
	}
	size_t length = (size_t) (writer->p - (uint8_t *) ZSTR_VAL(writer->out));
	zend_string *out = zend_string_realloc(writer->out, length, 0);
	ZSTR_VAL(out)[length] = '\0';
	return out;
}

static void begin(snapshot_writer *writer, uint32_t max_depth, zend_ulong elements, zend_long floats)
{
	memset(writer, 0, sizeof(*writer));
	writer->max_depth = max_depth;
	writer->elements = elements;
	writer->floats = (snapshot_floats) floats;
	writer->seed = POLYPACK_G(seed);
}

zend_string *polypack_write_snapshot(zval *value, zend_long max_depth, zend_long max_elements, zend_long floats, zend_array **answers)
{
	if (UNEXPECTED(POLYPACK_G(seed) == 0) && php_random_bytes_silent(&POLYPACK_G(seed), sizeof(POLYPACK_G(seed))) == FAILURE) {
		return NULL;
	}
	snapshot_writer writer;
	uint32_t levels = polypack_levels_left(max_depth);
	zend_ulong elements = max_elements < 0 ? 0 : (zend_ulong) max_elements;
	begin(&writer, levels, elements, floats);
	zend_string *out = write_snapshot(&writer, value);
	bool needs_walk = writer.needs_walk;
	snapshot_free_names(&writer);
	if (UNEXPECTED(needs_walk)) {
		begin(&writer, levels, elements, floats);
		writer.calls_hooks = answers != NULL;
		if (snapshot_walk(&writer, value)) {
			out = write_snapshot(&writer, value);
		}
		if (UNEXPECTED(out == NULL) && writer.answers != NULL && EG(exception) == NULL) {
			*answers = writer.answers;
			writer.answers = NULL;
		}
		snapshot_free_names(&writer); /* releases objects, so destructors may run and throw */
		if (UNEXPECTED(EG(exception) != NULL)) {
			if (out != NULL) {
				zend_string_efree(out);
			}
			return NULL;
		}
	}
	POLYPACK_COUNT(out != NULL ? POLYPACK_SNAPSHOTS_WRITTEN : POLYPACK_SNAPSHOTS_WRITE_DECLINED);
	return out;
}

PHP_FUNCTION(polypack_snapshot_write)
{
	zval *value, *answers = NULL;
	zend_long max_depth, max_elements, floats;
	zend_array *given = NULL;

	ZEND_PARSE_PARAMETERS_START(4, 5)
		Z_PARAM_ZVAL(value)
		Z_PARAM_LONG(max_depth)
		Z_PARAM_LONG(max_elements)
		Z_PARAM_LONG(floats)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(answers)
	ZEND_PARSE_PARAMETERS_END();

	zend_string *out = polypack_write_snapshot(value, max_depth, max_elements, floats, answers == NULL ? NULL : &given);
	if (EXPECTED(out != NULL)) {
		RETURN_NEW_STR(out);
	}
	if (UNEXPECTED(given != NULL)) {
		ZEND_TRY_ASSIGN_REF_ARR(answers, given);
	}
	/* The function returns null, because C declines or an exception is pending. */
}
