/*
 * Decides which objects C can write, and what their properties are called in a snapshot. The PHP library handles all
 * other objects (php/src/Snapshot/ClassFacts.php).
 */
#include "classes.h"

#include "Zend/zend_exceptions.h"
#include "Zend/zend_interfaces.h"

static bool has_method(const zend_class_entry *class, const char *name)
{
	return zend_hash_str_exists(&class->function_table, name, strlen(name));
}

/* Tells whether the declared properties are few enough for a shape, and each has a slot and no property hook. */
static bool has_known_slots(const zend_class_entry *class)
{
	if (class->default_properties_count > SNAPSHOT_MOST_PROPERTIES || POLYPACK_HAS_PROPERTY_HOOKS(class)) {
		return false;
	}
	for (int i = 0; i < class->default_properties_count; i++) {
		if (class->properties_info_table == NULL || class->properties_info_table[i] == NULL) {
			return false;
		}
	}
	return true;
}

/*
 * Returns the class itself if PHP or an extension defines it. Otherwise returns its nearest ancestor that PHP or an
 * extension defines, or NULL if there is none.
 */
static const zend_class_entry *internal_ancestor(const zend_class_entry *class)
{
	while (class != NULL && class->type == ZEND_USER_CLASS) {
		class = class->parent;
	}
	return class;
}

bool snapshot_is_plain_class(const zend_class_entry *class)
{
	if (class == zend_standard_class_def) {
		return true;
	}
	const uint32_t refused = ZEND_ACC_INTERFACE | ZEND_ACC_TRAIT | ZEND_ACC_EXPLICIT_ABSTRACT_CLASS | ZEND_ACC_IMPLICIT_ABSTRACT_CLASS
		| ZEND_ACC_ENUM | ZEND_ACC_ANON_CLASS | ZEND_ACC_NOT_SERIALIZABLE;
	const uint32_t needed = ZEND_ACC_LINKED | ZEND_ACC_CONSTANTS_UPDATED;
	if (internal_ancestor(class) != NULL || (class->ce_flags & refused) != 0 || (class->ce_flags & needed) != needed || class->create_object != NULL
		|| class->__serialize != NULL || zend_class_implements_interface(class, zend_ce_serializable) || has_method(class, "__sleep")) {
		return false;
	}
	return has_known_slots(class);
}

bool snapshot_is_plain_object(zend_object *object)
{
	const zend_class_entry *class = object->ce;
	if (object->handlers != &std_object_handlers || POLYPACK_IS_LAZY(object)) {
		return false;
	}
	if (class == zend_standard_class_def) {
		zend_array *properties = object->properties;
		zend_string *name;
		if (properties == NULL) {
			return true;
		}
		if (zend_hash_num_elements(properties) > SNAPSHOT_MOST_PROPERTIES || HT_IS_PACKED(properties)) {
			return zend_hash_num_elements(properties) == 0;
		}
		ZEND_HASH_FOREACH_STR_KEY(properties, name) {
			if (name == NULL || ZSTR_LEN(name) == 0 || ZSTR_VAL(name)[0] == '\0') {
				return false;
			}
		} ZEND_HASH_FOREACH_END();
		return true;
	}
	if (object->properties != NULL && zend_hash_num_elements(object->properties) != (uint32_t) class->default_properties_count) {
		return false;
	}
	for (int i = 0; i < class->default_properties_count; i++) {
		if (Z_TYPE(object->properties_table[i]) == IS_UNDEF) {
			return false;
		}
	}
	return true;
}

bool snapshot_is_common_object(const zend_object *object)
{
	const zend_class_entry *class = object->ce, *internal = internal_ancestor(class);
	return class->type == ZEND_USER_CLASS && !POLYPACK_IS_LAZY(object) && (internal == NULL || internal->__serialize != NULL)
		&& (class->ce_flags & (ZEND_ACC_ANON_CLASS | ZEND_ACC_NOT_SERIALIZABLE)) == 0;
}

bool snapshot_has_common_properties(const zend_class_entry *class)
{
	return internal_ancestor(class) == NULL && class->create_object == NULL && has_known_slots(class);
}

bool snapshot_has_own_data(const zend_object *object)
{
	const zend_class_entry *class = object->ce;
	return class->__serialize != NULL && class->__serialize->type == ZEND_INTERNAL_FUNCTION && !POLYPACK_IS_LAZY(object)
		&& (class->ce_flags & (ZEND_ACC_ANON_CLASS | ZEND_ACC_NOT_SERIALIZABLE)) == 0;
}

/*
 * Calls a method of a class that PHP or an extension defines. No user code may run meanwhile, because the writer uses
 * arrays without holding references to them. zend_call_function() may run signal handlers, so it isn't used. Garbage
 * collection may call destructors, so it is off during the call.
 */
static void call_internal(zend_function *function, zend_object *object, zval *result)
{
	zend_execute_data *call = zend_vm_stack_push_call_frame(ZEND_CALL_TOP_FUNCTION | ZEND_CALL_HAS_THIS, function, 0, object);
	bool was_protected = gc_protect(true);
	call->prev_execute_data = EG(current_execute_data);
	EG(current_execute_data) = call;
	ZVAL_NULL(result);
	function->internal_function.handler(call, result);
	EG(current_execute_data) = call->prev_execute_data;
	gc_protect(was_protected);
	zend_vm_stack_free_call_frame(call);
}

zend_array *snapshot_own_data(zend_object *object)
{
	zval data;
	call_internal(object->ce->__serialize, object, &data);
	if (UNEXPECTED(EG(exception) != NULL)) {
		zend_clear_exception();
	}
	if (UNEXPECTED(Z_TYPE(data) != IS_ARRAY)) {
		zval_ptr_dtor(&data);
		return NULL;
	}
	return Z_ARR(data);
}

zend_string *snapshot_property_name(const zend_class_entry *class, const zend_property_info *info)
{
	const char *of_class, *name;
	size_t length;
	if ((info->flags & ZEND_ACC_PRIVATE) != 0 && info->ce != class) {
		return zend_string_copy(info->name);
	}
	zend_unmangle_property_name_ex(info->name, &of_class, &name, &length);
	return zend_string_init(name, length, 0);
}
