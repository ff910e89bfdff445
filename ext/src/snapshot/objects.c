/*
 * Makes objects while a snapshot is read, numbers them, and calls their hooks when the whole snapshot has been read.
 * The reader holds a reference to each object until the end.
 *
 * Destructors must not run on half-built objects if reading fails. So an object with a destructor is marked as
 * destructed when it is made. If reading succeeds and no hook throws, the mark is removed at the end.
 */
#include "reader.h"

#include "Zend/zend_exceptions.h"

/* Objects */

/* Removes the default value of a property that the snapshot names. */
static zend_always_inline void clear_slot(zend_object *object, uint32_t offset)
{
	zval *property = OBJ_PROP(object, offset);
	zval_ptr_dtor_nogc(property);
	ZVAL_UNDEF(property);
	Z_PROP_FLAG_P(property) = 0;
}

static void init_slots(zend_object *object, const snapshot_plan *plan)
{
	const zend_class_entry *class = plan->class;
	if (EXPECTED(!plan->keeps_defaults)) {
		for (int i = 0; i < class->default_properties_count; i++) {
			ZVAL_UNDEF(&object->properties_table[i]);
			Z_PROP_FLAG_P(&object->properties_table[i]) = 0;
		}
	} else {
		object_properties_init(object, plan->class);
		for (uint32_t i = 0; i < plan->count + plan->absent; i++) {
			if (plan->slots[i].offset != 0) {
				clear_slot(object, plan->slots[i].offset);
			}
		}
	}
	/*
	 * PHP calls __get() for a typed property that unset() has removed, but not for one that never had a value. A flag
	 * of the property tells PHP which is the case. If the class declares a default, a property without a value must
	 * have been removed.
	 */
	for (uint32_t i = plan->count; i < plan->count + plan->absent; i++) {
		uint32_t offset = plan->slots[i].offset;
		if (offset != 0) {
			const zval *model = &class->default_properties_table[OBJ_PROP_TO_NUM(offset)];
			Z_PROP_FLAG_P(OBJ_PROP(object, offset)) = Z_TYPE_P(model) == IS_UNDEF ? Z_PROP_FLAG_P(model) : 0;
		}
	}
}

static zend_object *make_object(snapshot_reader *reader, const snapshot_read_shape *shape)
{
	const snapshot_plan *plan = shape->plan;
	if (plan == NULL) {
		return zend_objects_new(zend_standard_class_def);
	}
	zend_object *object;
	if (EXPECTED(shape->head == SNAPSHOT_NEW_OBJECT) && EXPECTED(!plan->takes_data)) {
		object = zend_objects_new(plan->class);
		init_slots(object, plan);
	} else {
		zval made;
		if (UNEXPECTED(object_init_ex(&made, plan->class) == FAILURE)) {
			return NULL;
		}
		object = Z_OBJ(made);
	}
	if (UNEXPECTED(plan->class->destructor != NULL)) {
		GC_ADD_FLAGS(object, IS_OBJ_DESTRUCTOR_CALLED);
		reader->has_destructors = true;
	}
	return object;
}

static snapshot_numbered_object *reserve_numbers(snapshot_reader *reader, uint32_t count)
{
	if (UNEXPECTED(reader->objects_size - reader->objects_count < count)) {
		uint32_t wanted = reader->objects_count + count;
		reader->objects_size = wanted < 2 * reader->objects_size ? 2 * reader->objects_size : wanted + 4;
		reader->objects = safe_erealloc(reader->objects, reader->objects_size, sizeof(*reader->objects), 0);
	}
	return &reader->objects[reader->objects_count];
}

zend_object *snapshot_new_object(snapshot_reader *reader, const snapshot_read_shape *shape)
{
	zend_object *object = make_object(reader, shape);
	if (EXPECTED(object != NULL)) {
		snapshot_numbered_object *numbered = reserve_numbers(reader, 1);
		numbered->object = object;
		numbered->shape = shape;
		reader->objects_count++;
	}
	return object;
}

void snapshot_number_rows(snapshot_reader *reader, const snapshot_read_shape *shape, uint32_t rows)
{
	snapshot_numbered_object *numbered = reserve_numbers(reader, rows);
	for (uint32_t i = 0; i < rows; i++) {
		numbered[i].object = NULL;
		numbered[i].shape = shape;
	}
	reader->objects_count += rows;
}

zend_object *snapshot_numbered_row(snapshot_reader *reader, uint32_t number)
{
	snapshot_numbered_object *numbered = &reader->objects[number];
	if (numbered->object == NULL) {
		numbered->object = make_object(reader, numbered->shape);
	}
	return numbered->object;
}

/* Properties */

bool snapshot_check_slot(const snapshot_slot *slot, zval *value)
{
	zend_property_info *info = (zend_property_info *) slot->checks;
	if (EXPECTED(ZEND_TYPE_CONTAINS_CODE(info->type, Z_TYPE_P(value)))) {
		return true;
	}
	if (Z_ISREF_P(value)) {
		if ((info->flags & ZEND_ACC_READONLY) == 0 && EXPECTED(zend_verify_prop_assignable_by_ref(info, value, true))) {
			ZEND_REF_ADD_TYPE_SOURCE(Z_REF_P(value), info);
			return true;
		}
	} else if (!ZEND_TYPE_IS_SET(info->type)) {
		return true;
	} else if (Z_TYPE_P(value) == IS_OBJECT && ZEND_TYPE_HAS_NAME(info->type) && zend_string_equals(Z_OBJCE_P(value)->name, ZEND_TYPE_NAME(info->type))) {
		return true;
	} else if (EXPECTED(zend_verify_property_type(info, value, true))) {
		return true;
	}
	if (EG(exception) != NULL) {
		zend_clear_exception();
	}
	return false;
}

void snapshot_add_dynamic(zend_object *object, zend_string *name, zval *value)
{
	zend_hash_update(zend_std_get_properties(object), name, value);
}

/* Hooks */

void snapshot_call_later(snapshot_reader *reader, zend_object *object, zend_function *function, zval *argument)
{
	if (reader->hooks_count == reader->hooks_size) {
		reader->hooks_size = reader->hooks_size == 0 ? 8 : 2 * reader->hooks_size;
		reader->hooks = safe_erealloc(reader->hooks, reader->hooks_size, sizeof(*reader->hooks), 0);
	}
	snapshot_hook *hook = &reader->hooks[reader->hooks_count++];
	hook->object = object; /* adds no reference, because the table of numbered objects holds one */
	hook->function = function;
	ZVAL_COPY_VALUE(&hook->argument, argument);
}

bool snapshot_run_hooks(snapshot_reader *reader)
{
	bool is_good = true;
	POLYPACK_G(levels) += POLYPACK_CALL_BACK_LEVELS;
	for (uint32_t i = 0; i < reader->hooks_count && is_good; i++) {
		snapshot_hook *hook = &reader->hooks[i];
		zval result;
		uint32_t arguments = Z_TYPE(hook->argument) == IS_UNDEF ? 0 : 1;
		ZVAL_UNDEF(&result);
		zend_call_known_function(hook->function, hook->object, hook->object->ce, &result, arguments, &hook->argument, NULL);
		zval_ptr_dtor(&result);
		is_good = EG(exception) == NULL;
	}
	POLYPACK_G(levels) -= POLYPACK_CALL_BACK_LEVELS;
	return is_good;
}

/* The end */

void snapshot_free_objects(snapshot_reader *reader, bool is_good)
{
	for (uint32_t i = 0; is_good && UNEXPECTED(reader->has_destructors) && i < reader->objects_count; i++) {
		zend_object *object = reader->objects[i].object;
		if (object->ce->destructor != NULL) {
			GC_DEL_FLAGS(object, IS_OBJ_DESTRUCTOR_CALLED);
		}
	}
	for (uint32_t i = 0; i < reader->hooks_count; i++) {
		zval_ptr_dtor(&reader->hooks[i].argument);
	}
	/* after a success without hooks, each object is part of the value, so none is garbage */
	bool may_be_garbage = !is_good || reader->hooks_count > 0;
	for (uint32_t i = 0; i < reader->objects_count; i++) {
		zend_object *object = reader->objects[i].object;
		if (object == NULL) {
			continue;
		}
		if (UNEXPECTED(may_be_garbage)) {
			OBJ_RELEASE(object);
		} else {
			GC_DELREF(object);
		}
	}
	if (reader->objects != NULL) {
		efree(reader->objects);
	}
	if (reader->hooks != NULL) {
		efree(reader->hooks);
	}
}
