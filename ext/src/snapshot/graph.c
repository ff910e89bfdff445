/*
 * Walks a value before it is written. A walk calls the hooks of the objects, each once and in the order of the walk,
 * and counts how often references occur. php/src/Snapshot/Graph.php is the twin.
 *
 * A hook may change or free what is being walked. So a walk keeps alive each array that it is inside of, each shared
 * PHP reference, and each object that it meets, except cases of enums. It copies the properties of an object, or keeps
 * the table that contains them alive.
 *
 * The hooks that a walk calls may change the value, so the value is then walked again. The writer writes what the last
 * walk finds. Objects, references and copied properties are kept until the end, because destructors may also change the
 * value.
 *
 * A walk declines if a value is uncommon or can't be written. The PHP code then gets the results of the hooks that have
 * been called (`answers`), and doesn't call these hooks again.
 *
 * Plan of the file: forms; hooks; objects; values; the end.
 */
#include "writer.h"
#include "classes.h"

#include "Zend/zend_exceptions.h"
#include "Zend/zend_interfaces.h"
#include "ext/date/php_date.h"

static bool walk_array(snapshot_writer *writer, zend_array *array, uint32_t depth);

/* Forms */

static snapshot_form *new_form(uint8_t head, size_t size)
{
	snapshot_form *form = emalloc(sizeof(*form) + size);
	memset(form, 0, sizeof(*form));
	form->head = head;
	ZVAL_UNDEF(&form->data);
	return form;
}

/* Makes a form from the data that a hook has returned. Takes over the reference to the data. */
static snapshot_form *form_of_data(uint8_t head, zval *data)
{
	snapshot_form *form = new_form(head, 0);
	ZVAL_COPY_VALUE(&form->data, data);
	return form;
}

static void free_form(snapshot_form *form)
{
	for (uint32_t i = 0; form->owns_values && i < form->properties.values.count; i++) {
		zval_ptr_dtor((zval *) snapshot_element(&form->properties.values, i));
	}
	zval_ptr_dtor(&form->data);
	efree(form);
}

/* Copies the value of a property. A PHP reference that nothing else holds is replaced by its value. */
static void copy_slot(zval *to, zval *from)
{
	if (Z_ISREF_P(from) && Z_REFCOUNT_P(from) == 1) {
		from = Z_REFVAL_P(from);
	}
	ZVAL_COPY(to, from);
}

/* Returns all properties of a plain object, in the object's own order. */
snapshot_properties snapshot_all_properties(snapshot_writer *writer, zend_object *object)
{
	snapshot_properties all = {{NULL, sizeof(Bucket), 0}, NULL, 0, 0, 0};
	if (object->ce != zend_standard_class_def) {
		uint32_t count = (uint32_t) object->ce->default_properties_count;
		all.values = (snapshot_elements) {(const char *) object->properties_table, sizeof(zval), count};
		all.declared = (uint8_t) count;
		return all;
	}
	zend_array *properties = object->properties;
	if (properties != NULL && zend_hash_num_elements(properties) != 0) {
		if (UNEXPECTED(!HT_IS_WITHOUT_HOLES(properties))) {
			properties = snapshot_without_holes(writer, properties);
		}
		all.names = properties->arData;
		all.values = (snapshot_elements) {(const char *) properties->arData, sizeof(Bucket), properties->nNumUsed};
	}
	return all;
}

static snapshot_form *form_of_plain(snapshot_writer *writer, zend_object *object)
{
	snapshot_properties all = snapshot_all_properties(writer, object);
	snapshot_form *form;
	if (object->ce == zend_standard_class_def) {
		form = new_form(SNAPSHOT_NEW_OBJECT, 0);
		form->properties = all;
		if (all.names != NULL && all.names == object->properties->arData) { /* the object's own table, not a copy */
			GC_TRY_ADDREF(object->properties);
			snapshot_keep_array(writer, object->properties);
		}
		return form;
	}
	uint32_t count = all.values.count;
	form = new_form(SNAPSHOT_NEW_OBJECT, count * sizeof(zval));
	zval *values = (zval *) (form + 1);
	for (uint32_t i = 0; i < count; i++) {
		copy_slot(&values[i], &object->properties_table[i]);
	}
	form->properties = all;
	form->properties.values.first = (const char *) values;
	form->owns_values = true;
	return form;
}

/* A property of an object, with its name in the snapshot. The slot is NULL if the property has no value. */
typedef struct {
	zend_string *name;
	zval *slot;
} taken_property;

/* Makes a form of the properties in `taken`: first `count` properties with a value, then `absent` without one. */
static snapshot_form *form_of_taken(const taken_property *taken, uint32_t count, uint32_t declared, uint32_t absent, uint8_t flags)
{
	snapshot_form *form = new_form(SNAPSHOT_NEW_OBJECT, (count + absent) * sizeof(Bucket));
	Bucket *entries = (Bucket *) (form + 1);
	for (uint32_t i = 0; i < count + absent; i++) {
		entries[i].key = taken[i].name;
		entries[i].h = zend_string_hash_val(taken[i].name);
		if (i < count) {
			copy_slot(&entries[i].val, taken[i].slot);
		} else {
			ZVAL_NULL(&entries[i].val);
		}
	}
	form->owns_values = true;
	form->properties = (snapshot_properties) {{(const char *) entries, sizeof(Bucket), count}, entries, flags, (uint8_t) declared, (uint8_t) absent};
	return form;
}

/*
 * Returns memory for 2 * SNAPSHOT_MOST_PROPERTIES properties. All objects share the memory, because no user code runs
 * while the memory is used.
 */
static taken_property *room_to_take(snapshot_writer *writer)
{
	if (writer->room == NULL) {
		writer->room = safe_emalloc(2 * SNAPSHOT_MOST_PROPERTIES, sizeof(taken_property), 0);
	}
	return writer->room;
}

/*
 * Makes a form of all properties: the declared ones with a value in the order of their slots, then the dynamic ones,
 * then the declared ones without a value. Returns NULL to decline.
 */
static snapshot_form *form_of_all(snapshot_writer *writer, zend_object *object)
{
	const zend_class_entry *class = object->ce;
	taken_property *taken = room_to_take(writer);
	zend_string **names = snapshot_wire_names(writer, class), *name;
	uint32_t count = 0, absent = 0;
	zval *slot;
	for (int i = 0; i < class->default_properties_count; i++) {
		if (Z_TYPE(object->properties_table[i]) != IS_UNDEF) {
			taken[count++] = (taken_property) {names[i], &object->properties_table[i]};
		}
	}
	uint32_t declared = count;
	if (object->properties != NULL) {
		ZEND_HASH_FOREACH_STR_KEY_VAL(object->properties, name, slot) {
			if (Z_TYPE_P(slot) == IS_INDIRECT) {
				continue;
			}
			if (name == NULL || count == SNAPSHOT_MOST_PROPERTIES) {
				return NULL;
			}
			taken[count++] = (taken_property) {snapshot_keep_string(writer, zend_string_copy(name)), slot};
		} ZEND_HASH_FOREACH_END();
	}
	for (int i = 0; i < class->default_properties_count; i++) {
		if (Z_TYPE(object->properties_table[i]) == IS_UNDEF) {
			taken[count + absent++] = (taken_property) {names[i], NULL};
		}
	}
	return form_of_taken(taken, count, declared, absent, 0);
}

/*
 * Finds a declared property by its internal (mangled) name. Returns the property's slot number. Returns -1 if the class
 * doesn't declare the property, or if the property has no value.
 */
static int find_declared(const zend_object *object, const char *key, size_t length)
{
	for (int i = 0; i < object->ce->default_properties_count; i++) {
		const zend_string *name = object->ce->properties_info_table[i]->name;
		if (ZSTR_LEN(name) == length && memcmp(ZSTR_VAL(name), key, length) == 0) {
			return Z_TYPE(object->properties_table[i]) == IS_UNDEF ? -1 : i;
		}
	}
	return -1;
}

/*
 * Finds a property that __sleep() has named. Looks, as PHP does, first for a declared property with exactly this
 * internal name, then for a dynamic, a private and a protected one. Returns the slot number of a declared property.
 * Otherwise returns -1, and sets `dynamic` to the value of the dynamic property, or to NULL if no property is found.
 */
static int find_chosen(zend_object *object, zend_string *name, zval **dynamic)
{
	int i = find_declared(object, ZSTR_VAL(name), ZSTR_LEN(name));
	*dynamic = NULL;
	if (i >= 0) {
		return i;
	}
	zval *slot = object->properties == NULL ? NULL : zend_hash_find(object->properties, name);
	if (slot != NULL && Z_TYPE_P(slot) != IS_INDIRECT) {
		*dynamic = slot;
		return -1;
	}
	const zend_string *classes[] = {object->ce->name, ZSTR_CHAR('*')};
	for (int j = 0; j < 2 && i < 0; j++) {
		zend_string *key = zend_mangle_property_name(ZSTR_VAL(classes[j]), ZSTR_LEN(classes[j]), ZSTR_VAL(name), ZSTR_LEN(name), false);
		i = find_declared(object, ZSTR_VAL(key), ZSTR_LEN(key));
		zend_string_efree(key);
	}
	return i;
}

static bool has_taken(const taken_property *taken, uint32_t count, const zend_string *name)
{
	for (uint32_t i = 0; i < count; i++) {
		if (zend_string_equals(taken[i].name, name)) {
			return true;
		}
	}
	return false;
}

/*
 * Makes a form of the properties that __sleep() has named. Returns NULL to decline, for example if a named property
 * doesn't exist. The PHP code then warns about the property.
 */
static snapshot_form *form_of_chosen(snapshot_writer *writer, zend_object *object, zend_array *chosen)
{
	taken_property *taken = room_to_take(writer);
	taken_property *others = taken + SNAPSHOT_MOST_PROPERTIES;
	zend_string **names = snapshot_wire_names(writer, object->ce);
	uint32_t count = 0, others_count = 0;
	zval *name, *dynamic;
	ZEND_HASH_FOREACH_VAL(chosen, name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			return NULL;
		}
		int i = find_chosen(object, Z_STR_P(name), &dynamic);
		if (dynamic != NULL ? others_count == SNAPSHOT_MOST_PROPERTIES : i < 0) {
			return NULL;
		}
		if (dynamic != NULL && !has_taken(others, others_count, Z_STR_P(name))) {
			others[others_count++] = (taken_property) {snapshot_keep_string(writer, zend_string_copy(Z_STR_P(name))), dynamic};
		} else if (dynamic == NULL && !has_taken(taken, count, names[i])) {
			taken[count++] = (taken_property) {names[i], &object->properties_table[i]};
		}
	} ZEND_HASH_FOREACH_END();
	if (count + others_count > SNAPSHOT_MOST_PROPERTIES) {
		return NULL;
	}
	uint32_t declared = count;
	for (uint32_t i = 0; i < others_count; i++) {
		if (has_taken(taken, declared, others[i].name)) {
			return NULL;
		}
		taken[count++] = others[i];
	}
	return form_of_taken(taken, count, declared, 0, SNAPSHOT_CHOSEN);
}

/* Hooks */

static void keep_answer(snapshot_writer *writer, uint32_t handle, zend_object *object, zval *answer)
{
	zval pair, held;
	array_init_size(&pair, 2);
	ZVAL_OBJ_COPY(&held, object);
	add_next_index_zval(&pair, &held);
	Z_TRY_ADDREF_P(answer);
	add_next_index_zval(&pair, answer);
	if (writer->answers == NULL) {
		writer->answers = zend_new_array(8);
	}
	zend_hash_index_add_new(writer->answers, handle, &pair);
}

/*
 * Sets `answer` to the result of a hook. Calls the hook only if no earlier walk has called it, and keeps the result for
 * later walks. Returns false to decline, or if an exception is pending.
 */
static bool call_hook(snapshot_writer *writer, zend_object *object, zend_function *hook, uint32_t depth, zval *answer)
{
	const uint32_t refused = ZEND_ACC_STATIC | ZEND_ACC_ABSTRACT;
	zval *known = writer->answers == NULL ? NULL : zend_hash_index_find(writer->answers, object->handle);
	if (known != NULL) {
		ZVAL_COPY(answer, zend_hash_index_find(Z_ARR_P(known), 1));
		return true;
	}
	if (!writer->calls_hooks || hook == NULL || (hook->common.fn_flags & ZEND_ACC_PUBLIC) == 0 || (hook->common.fn_flags & refused) != 0) {
		return false;
	}
	ZVAL_NULL(answer);
	if (UNEXPECTED(writer->walk == SNAPSHOT_MOST_WALKS)) { /* the PHP code walks once more, and refuses this object */
		keep_answer(writer, SNAPSHOT_ONE_WALK_LEFT, object, answer);
		return false;
	}
	uint32_t levels = depth + POLYPACK_CALL_BACK_LEVELS;
	ZVAL_UNDEF(answer);
	POLYPACK_G(levels) += levels;
	zend_call_known_function(hook, object, object->ce, answer, 0, NULL, NULL);
	POLYPACK_G(levels) -= levels;
	if (UNEXPECTED(EG(exception) != NULL)) {
		zval_ptr_dtor(answer);
		return false;
	}
	if (Z_ISREF_P(answer)) {
		zend_unwrap_reference(answer);
	}
	keep_answer(writer, object->handle, object, answer);
	return true;
}

static zend_function *method_of(const zend_class_entry *class, const char *name)
{
	return zend_hash_str_find_ptr(&class->function_table, name, strlen(name));
}

static snapshot_form *form_of_hook(snapshot_writer *writer, zend_object *object, zend_function *hook, uint32_t depth)
{
	zval answer;
	if (!call_hook(writer, object, hook, depth, &answer)) {
		return NULL;
	}
	if (UNEXPECTED(Z_TYPE(answer) != IS_ARRAY)) {
		zval_ptr_dtor(&answer);
		return NULL;
	}
	return form_of_data(SNAPSHOT_NEW_DATA, &answer);
}

/* Objects */

/*
 * Sets `form` to what will be written for an object, or to NULL if the object is written as null. Returns false to
 * decline, or if an exception is pending.
 */
static bool find_form(snapshot_writer *writer, zend_object *object, uint32_t depth, snapshot_form **form)
{
	zend_class_entry *class = object->ce;
	zval answer;
	if (snapshot_has_own_data(object)) {
		if (instanceof_function(class, php_date_get_period_ce())) { /* makes new objects in each call */
			*form = form_of_hook(writer, object, class->__serialize, depth);
			return *form != NULL;
		}
		zend_array *data = snapshot_own_data(object);
		if (UNEXPECTED(data == NULL)) {
			return false;
		}
		ZVAL_ARR(&answer, data);
		if ((GC_FLAGS(data) & GC_IMMUTABLE) != 0) {
			Z_TYPE_FLAGS(answer) = 0;
		}
		*form = form_of_data(SNAPSHOT_NEW_DATA, &answer);
		return true;
	}
	if (EXPECTED(snapshot_is_plain(writer, object))) {
		*form = form_of_plain(writer, object);
		return true;
	}
	if (!snapshot_is_common_object(object)) {
		return false;
	}
	if (class->__serialize != NULL) {
		*form = form_of_hook(writer, object, class->__serialize, depth);
		return *form != NULL;
	}
	if (zend_class_implements_interface(class, zend_ce_serializable)) {
		if (!call_hook(writer, object, method_of(class, "serialize"), depth, &answer)) {
			return false;
		}
		*form = Z_TYPE(answer) == IS_STRING ? form_of_data(SNAPSHOT_NEW_LEGACY, &answer) : NULL;
		if (*form == NULL) {
			zval_ptr_dtor(&answer);
		}
		return *form != NULL || Z_TYPE(answer) == IS_NULL;
	}
	if (!snapshot_has_common_properties(class)) {
		return false;
	}
	zend_function *sleep = method_of(class, "__sleep");
	if (sleep == NULL) {
		*form = form_of_all(writer, object);
		return *form != NULL;
	}
	if (!call_hook(writer, object, sleep, depth, &answer)) {
		return false;
	}
	*form = Z_TYPE(answer) == IS_ARRAY ? form_of_chosen(writer, object, Z_ARR(answer)) : NULL;
	zval_ptr_dtor(&answer); /* writer->answers holds its own reference to the answer */
	return *form != NULL;
}

/* Walks an element. Holds the value of a PHP reference meanwhile, because a hook may assign another value to it. */
static bool walk_element(snapshot_writer *writer, zval *element, uint32_t depth);

static bool walk_object(snapshot_writer *writer, zend_object *object, uint32_t depth)
{
	if ((object->ce->ce_flags & ZEND_ACC_ENUM) != 0) {
		return true;
	}
	snapshot_numbered *numbered = snapshot_numbered_object(writer, object);
	if (numbered->walk == writer->walk) {
		return true;
	}
	if (depth >= writer->max_depth) {
		return false;
	}
	if (numbered->walk == 0) {
		GC_ADDREF(object);
	}
	numbered->walk = writer->walk;
	snapshot_form *form = NULL, *before = numbered->form;
	if (!find_form(writer, object, depth, &form)) {
		return false;
	}
	if (UNEXPECTED(before != NULL)) {
		before->next = writer->old_forms;
		writer->old_forms = before;
	}
	numbered->form = form;
	if (form == NULL || form->head == SNAPSHOT_NEW_LEGACY) {
		return true;
	}
	if (form->head == SNAPSHOT_NEW_DATA) {
		return walk_array(writer, Z_ARR(form->data), depth + 1);
	}
	for (uint32_t i = 0; i < form->properties.values.count; i++) {
		if (!walk_element(writer, (zval *) snapshot_element(&form->properties.values, i), depth + 1)) {
			return false;
		}
	}
	return true;
}

/* Values */

static bool walk_value(snapshot_writer *writer, zval *value, uint32_t depth)
{
	switch (Z_TYPE_P(value)) {
		case IS_ARRAY:
			return walk_array(writer, Z_ARR_P(value), depth);
		case IS_OBJECT:
			return walk_object(writer, Z_OBJ_P(value), depth);
		default:
			return Z_TYPE_P(value) != IS_RESOURCE;
	}
}

static bool walk_element(snapshot_writer *writer, zval *element, uint32_t depth)
{
	if (EXPECTED(Z_TYPE_P(element) != IS_REFERENCE)) {
		return walk_value(writer, element, depth);
	}
	if (Z_REFCOUNT_P(element) > 1 && snapshot_find_referred(writer, Z_REF_P(element), true)->occurs++ > 0) {
		return true;
	}
	zval held;
	ZVAL_COPY(&held, Z_REFVAL_P(element));
	bool is_good = walk_value(writer, &held, depth);
	zval_ptr_dtor(&held);
	return is_good && EXPECTED(EG(exception) == NULL);
}

static bool walk_array(snapshot_writer *writer, zend_array *array, uint32_t depth)
{
	zval held, *element;
	bool is_good = true;
	if (depth >= writer->max_depth) {
		return false;
	}
	GC_TRY_ADDREF(array);
	ZEND_HASH_FOREACH_VAL(array, element) {
		is_good = walk_element(writer, element, depth + 1);
		if (UNEXPECTED(!is_good)) {
			break;
		}
	} ZEND_HASH_FOREACH_END();
	ZVAL_ARR(&held, array);
	if ((GC_FLAGS(array) & GC_IMMUTABLE) == 0) {
		zval_ptr_dtor(&held);
	}
	return is_good;
}

bool snapshot_walk(snapshot_writer *writer, zval *value)
{
	uint32_t called = 0, before;
	do {
		writer->walk++;
		for (uint32_t i = 0; writer->referred != NULL && i <= writer->referred_mask; i++) {
			writer->referred[i].occurs = 0;
		}
		if (!walk_value(writer, value, 0) || EG(exception) != NULL) {
			return false;
		}
		before = called;
		called = writer->answers == NULL ? 0 : zend_hash_num_elements(writer->answers);
	} while (called != before);
	return true;
}

/* The end */

/* Releases what the walks have kept alive. Destructors may run. */
void snapshot_free_graph(snapshot_writer *writer)
{
	for (uint32_t i = 0; writer->referred != NULL && i <= writer->referred_mask; i++) {
		if (writer->referred[i].reference != NULL) {
			zval reference;
			ZVAL_REF(&reference, writer->referred[i].reference);
			zval_ptr_dtor(&reference);
		}
	}
	if (writer->referred != NULL) {
		efree(writer->referred);
	}
	for (uint32_t i = 0; writer->objects != NULL && i <= writer->objects_mask; i++) {
		if (writer->objects[i].form != NULL) {
			free_form(writer->objects[i].form);
		}
		if (writer->objects[i].walk != 0) {
			OBJ_RELEASE(writer->objects[i].object);
		}
	}
	if (writer->objects != NULL) {
		efree(writer->objects);
	}
	for (snapshot_form *form = writer->old_forms, *next; form != NULL; form = next) {
		next = form->next;
		free_form(form);
	}
	if (writer->room != NULL) {
		efree(writer->room);
	}
	if (writer->answers != NULL) {
		zval answers;
		ZVAL_ARR(&answers, writer->answers);
		zval_ptr_dtor(&answers);
	}
}
