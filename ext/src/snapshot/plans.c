/*
 * Plans how objects of a shape are made. Finds their class, and the property that each name in the snapshot belongs to
 * (spec/10-snapshot.md#classes, #evolution). php/src/Snapshot/ClassPolicy.php, Plan.php and Assignment.php are the
 * twins. The twins also handle the classes that this file declines. Such a class is unknown, not allowed or uncommon,
 * or it no longer matches the snapshot.
 *
 * Plan of the file: classes; properties; plans.
 */
#include "reader.h"
#include "classes.h"

#include "Zend/zend_interfaces.h"
#include "ext/spl/spl_array.h"

/* In the data of an ArrayObject, the key whose value names the class of iterators. */
#define ITERATOR_KEY 3

/* Classes */

/* Tells whether PHP could have a class of this name. */
static bool is_class_name(const zend_string *name)
{
	for (size_t i = 0; i < ZSTR_LEN(name); i++) {
		uint8_t byte = (uint8_t) ZSTR_VAL(name)[i];
		bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte >= 0x80;
		if (!is_letter && (i == 0 || !((byte >= '0' && byte <= '9') || byte == '\\'))) {
			return false;
		}
	}
	return ZSTR_LEN(name) > 0;
}

/*
 * Returns a class, or NULL. If the class isn't loaded and PHP could have one of this name, calls the autoloaders. If
 * they neither find the class nor throw, sets policy.missing to its name.
 */
static zend_class_entry *load_class(snapshot_reader *reader, zend_string *name, zend_string *lower, uint32_t depth)
{
	zend_class_entry *class = zend_lookup_class_ex(name, lower, ZEND_FETCH_CLASS_NO_AUTOLOAD);
	if (UNEXPECTED(class == NULL) && is_class_name(name)) {
		uint32_t levels = depth + POLYPACK_CALL_BACK_LEVELS;
		POLYPACK_G(levels) += levels;
		class = zend_lookup_class_ex(name, lower, 0);
		POLYPACK_G(levels) -= levels;
		if (class == NULL && EG(exception) == NULL) {
			reader->policy.missing = zend_string_copy(name);
		}
	}
	return class;
}

zend_class_entry *snapshot_find_class(snapshot_reader *reader, zend_string *written, uint32_t depth)
{
	const snapshot_policy *policy = &reader->policy;
	zend_string *name = written, *lower = zend_string_tolower(written);
	const zval *alias = policy->aliases == NULL ? NULL : zend_hash_find(policy->aliases, lower);
	if (alias != NULL && Z_TYPE_P(alias) == IS_STRING) {
		zend_string_release(lower);
		name = Z_STR_P(alias);
		lower = zend_string_tolower(name);
	}
	zend_class_entry *class = NULL;
	if (policy->allows_all || zend_hash_exists(policy->allowed, lower)) {
		class = load_class(reader, name, lower, depth);
	}
	zend_string_release(lower);
	return class != NULL && EXPECTED((class->ce_flags & ZEND_ACC_LINKED) != 0) ? class : NULL;
}

bool snapshot_check_iterator(snapshot_reader *reader, zval *data, uint32_t depth)
{
	zval *name = zend_hash_index_find_deref(Z_ARR_P(data), ITERATOR_KEY);
	if (EXPECTED(name == NULL) || EXPECTED(Z_TYPE_P(name) != IS_STRING)) {
		return true;
	}
	zend_class_entry *class = snapshot_find_class(reader, Z_STR_P(name), depth);
	if (class == NULL) {
		return false;
	}
	SEPARATE_ARRAY(data);
	zval found;
	ZVAL_STR_COPY(&found, class->name);
	zend_hash_index_update(Z_ARR_P(data), ITERATOR_KEY, &found);
	return true;
}

/* Tells whether PHP serializes objects of a class, and C can make them without calling their constructor. */
static bool can_be_made(const zend_class_entry *class)
{
	const uint32_t refused = ZEND_ACC_INTERFACE | ZEND_ACC_TRAIT | ZEND_ACC_EXPLICIT_ABSTRACT_CLASS | ZEND_ACC_IMPLICIT_ABSTRACT_CLASS
		| ZEND_ACC_ENUM | ZEND_ACC_ANON_CLASS | ZEND_ACC_NOT_SERIALIZABLE;
	return (class->ce_flags & refused) == 0
		&& (class->type == ZEND_USER_CLASS || class->create_object == NULL || (class->ce_flags & ZEND_ACC_FINAL) == 0);
}

static bool is_public(const zend_function *function)
{
	return (function->common.fn_flags & (ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)) == ZEND_ACC_PUBLIC;
}

/* Properties */

/* The slots of a class that already belong to a name in the snapshot. */
typedef struct {
	uint64_t bits[(SNAPSHOT_MOST_PROPERTIES + 63) / 64];
	uint32_t count;
} taken_slots;

static bool is_taken(const taken_slots *taken, const zend_property_info *info)
{
	uint32_t number = OBJ_PROP_TO_NUM(info->offset);
	return (taken->bits[number / 64] >> number % 64 & 1) != 0;
}

static void take_slot(taken_slots *taken, snapshot_slot *slot, const zend_property_info *info)
{
	uint32_t number = OBJ_PROP_TO_NUM(info->offset);
	taken->bits[number / 64] |= UINT64_C(1) << number % 64;
	taken->count++;
	slot->offset = info->offset;
	slot->checks = ZEND_TYPE_IS_SET(info->type) || (info->flags & ZEND_ACC_READONLY) != 0 ? info : NULL;
}

static const zend_property_info *property_of(const zend_class_entry *class, const char *name, size_t length)
{
	const zend_property_info *info = zend_hash_str_find_ptr(&class->properties_info, name, length);
	return info != NULL && (info->flags & ZEND_ACC_STATIC) == 0 ? info : NULL;
}

/*
 * Returns where the bare name begins in the name of a property. If the property is private to an ancestor, its name
 * begins with \0Class\0.
 */
static size_t start_of_name(const zend_string *name)
{
	const char *end = zend_memrchr(ZSTR_VAL(name), '\0', ZSTR_LEN(name));
	return end == NULL ? 0 : (size_t) (end + 1 - ZSTR_VAL(name));
}

/* Returns the property whose name in a snapshot is exactly this one, or NULL if there is none. */
static const zend_property_info *exact_property(const zend_class_entry *class, zend_string *name)
{
	if (EXPECTED(ZSTR_LEN(name) == 0) || EXPECTED(ZSTR_VAL(name)[0] != '\0')) {
		const zend_property_info *info = zend_hash_find_ptr(&class->properties_info, name);
		bool is_ours = info != NULL && (info->flags & ZEND_ACC_STATIC) == 0 && ((info->flags & ZEND_ACC_PRIVATE) == 0 || info->ce == class);
		return is_ours ? info : NULL;
	}
	size_t start = start_of_name(name);
	for (const zend_class_entry *ancestor = class->parent; start > 2 && ancestor != NULL; ancestor = ancestor->parent) {
		if (zend_string_equals_cstr(ancestor->name, ZSTR_VAL(name) + 1, start - 2)) {
			const zend_property_info *info = property_of(ancestor, ZSTR_VAL(name) + start, ZSTR_LEN(name) - start);
			return info != NULL && (info->flags & ZEND_ACC_PRIVATE) != 0 && info->ce == ancestor ? info : NULL;
		}
	}
	return NULL;
}

/*
 * Returns a property with the same bare name whose slot is free, or NULL. Ignores the class that the name mentions.
 * Looks at `class` first, then at its ancestors, the nearest first.
 */
static const zend_property_info *nearest_property(const zend_class_entry *class, const zend_string *name, const taken_slots *taken)
{
	size_t start = start_of_name(name);
	for (const zend_class_entry *ancestor = class; ancestor != NULL; ancestor = ancestor->parent) {
		const zend_property_info *info = property_of(ancestor, ZSTR_VAL(name) + start, ZSTR_LEN(name) - start);
		if (info != NULL && !is_taken(taken, info)) {
			return info;
		}
	}
	return NULL;
}

/*
 * Finds slots for names. First, each name gets the property with exactly this name. Then each remaining name gets a
 * free property with the same bare name, if nearest_property() finds one. Returns how many names have no slot.
 */
static uint32_t find_slots(const zend_class_entry *class, zend_string **names, snapshot_slot *slots, uint32_t count, taken_slots *taken)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < count; i++) {
		const zend_property_info *info = exact_property(class, names[i]);
		slots[i].offset = 0;
		slots[i].checks = NULL;
		if (EXPECTED(info != NULL) && EXPECTED(!is_taken(taken, info))) {
			take_slot(taken, &slots[i], info);
		} else {
			left++;
		}
	}
	for (uint32_t i = 0; i < count && UNEXPECTED(left > 0); i++) {
		const zend_property_info *info = slots[i].offset != 0 ? NULL : nearest_property(class, names[i], taken);
		if (info != NULL) {
			take_slot(taken, &slots[i], info);
			left--;
		}
	}
	return left;
}

/* Tells whether C may give objects of a class a dynamic property of this name. If not, C declines. */
static bool may_be_dynamic(const zend_class_entry *class, const zend_string *name)
{
	zend_ulong number;
	return ZSTR_LEN(name) > 0 && ZSTR_VAL(name)[0] != '\0' && (class->ce_flags & ZEND_ACC_READONLY_CLASS) == 0 && class->__set == NULL
		&& !ZEND_HANDLE_NUMERIC_STR(ZSTR_VAL(name), ZSTR_LEN(name), number);
}

/*
 * Tells whether objects of a class consist only of property slots. There must be at most SNAPSHOT_MOST_PROPERTIES
 * slots, and no property may have get or set hooks.
 */
static bool has_simple_slots(const zend_class_entry *class)
{
	for (const zend_class_entry *ancestor = class; ancestor != NULL; ancestor = ancestor->parent) {
		if (ancestor->type != ZEND_USER_CLASS) {
			return false;
		}
	}
	if (class->create_object != NULL || POLYPACK_HAS_PROPERTY_HOOKS(class) || class->default_properties_count > SNAPSHOT_MOST_PROPERTIES) {
		return false;
	}
	for (int i = 0; i < class->default_properties_count; i++) {
		if (class->properties_info_table[i] == NULL) {
			return false;
		}
	}
	return true;
}

/* Plans */

static snapshot_plan *new_plan(zend_class_entry *class, zend_function *hook, uint32_t count, uint32_t slots)
{
	snapshot_plan *plan = emalloc(sizeof(*plan) + slots * sizeof(*plan->slots));
	memset(plan, 0, sizeof(*plan));
	plan->class = class;
	plan->hook = hook;
	plan->count = count;
	return plan;
}

static snapshot_plan *plan_slots(zend_class_entry *class, zend_function *wakeup, zend_string **names, uint32_t count, uint32_t declared,
	uint32_t absent, bool is_chosen)
{
	taken_slots taken = {{0}, 0};
	snapshot_plan *plan = new_plan(class, wakeup, count, count + absent);
	plan->has_dynamic = find_slots(class, names, plan->slots, count, &taken) > 0;
	bool is_good = true;
	for (uint32_t i = 0; i < count && UNEXPECTED(plan->has_dynamic) && is_good; i++) {
		is_good = plan->slots[i].offset != 0 || (i >= declared && may_be_dynamic(class, names[i]));
	}
	find_slots(class, names + count, plan->slots + count, absent, &taken);
	plan->absent = absent;
	plan->keeps_defaults = taken.count < (uint32_t) class->default_properties_count;
	if (UNEXPECTED(!is_good) || UNEXPECTED(plan->keeps_defaults && !is_chosen)
		|| ((class->ce_flags & ZEND_ACC_CONSTANTS_UPDATED) == 0 && UNEXPECTED(zend_update_class_constants(class) == FAILURE))) {
		efree(plan);
		return NULL;
	}
	return plan;
}

snapshot_plan *snapshot_plan_properties(zend_class_entry *class, zend_string **names, uint32_t count, uint32_t declared,
	uint32_t absent, bool is_chosen)
{
	if (UNEXPECTED(!can_be_made(class))) {
		return NULL;
	}
	if (UNEXPECTED(class->__unserialize != NULL)) {
		snapshot_plan *plan = is_public(class->__unserialize) ? new_plan(class, class->__unserialize, count, 0) : NULL;
		if (plan != NULL) {
			plan->takes_data = true;
		}
		return plan;
	}
	if (UNEXPECTED(!has_simple_slots(class)) || UNEXPECTED(zend_class_implements_interface(class, zend_ce_serializable))) {
		return NULL;
	}
	zend_function *wakeup = zend_hash_str_find_ptr(&class->function_table, "__wakeup", sizeof("__wakeup") - 1);
	return wakeup == NULL || is_public(wakeup) ? plan_slots(class, wakeup, names, count, declared, absent, is_chosen) : NULL;
}

snapshot_plan *snapshot_plan_data(zend_class_entry *class, uint8_t head, uint8_t flags)
{
	zend_function *hook = class->__unserialize;
	bool is_legacy = head == SNAPSHOT_NEW_LEGACY;
	if (is_legacy) {
		bool has_hook = zend_class_implements_interface(class, zend_ce_serializable);
		hook = has_hook ? zend_hash_str_find_ptr(&class->function_table, "unserialize", sizeof("unserialize") - 1) : NULL;
	}
	if (UNEXPECTED(hook == NULL) || UNEXPECTED(!is_public(hook)) || UNEXPECTED(!can_be_made(class))) {
		return NULL;
	}
	bool is_of_php = hook->type == ZEND_INTERNAL_FUNCTION;
	if (is_legacy && UNEXPECTED(is_of_php)) { /* such a hook makes objects of any class that the bytes name */
		return NULL;
	}
	snapshot_plan *plan = new_plan(class, hook, 1, 0);
	plan->takes_iterator = is_of_php && !is_legacy && (instanceof_function(class, spl_ce_ArrayObject) || instanceof_function(class, spl_ce_ArrayIterator));
	return plan;
}
