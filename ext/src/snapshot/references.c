/*
 * Finds the references that occur more than once in a value (spec/10-snapshot.md#references): a walk before writing
 * counts them. php/src/Snapshot/Graph.php is the twin.
 */
#include "writer.h"
#include "classes.h"

#define FIRST_PLACES 16

static zend_always_inline uint32_t place_of(const zend_reference *reference, uint32_t mask)
{
	return (uint32_t) ((uintptr_t) reference * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
}

/* Returns the entry of a reference. If there is none, adds one, or returns NULL if `adds` is false. */
snapshot_referred *snapshot_find_referred(snapshot_writer *writer, const zend_reference *reference, bool adds)
{
	if (adds && 2 * writer->referred_count >= writer->referred_mask) {
		uint32_t size = writer->referred == NULL ? FIRST_PLACES : 2 * (writer->referred_mask + 1);
		snapshot_referred *before = writer->referred, *after = ecalloc(size, sizeof(*after));
		for (uint32_t i = 0; before != NULL && i <= writer->referred_mask; i++) {
			if (before[i].reference != NULL) {
				uint32_t place = place_of(before[i].reference, size - 1);
				while (after[place].reference != NULL) {
					place = (place + 1) & (size - 1);
				}
				after[place] = before[i];
			}
		}
		if (before != NULL) {
			efree(before);
		}
		writer->referred = after;
		writer->referred_mask = size - 1;
	}
	if (writer->referred == NULL) {
		return NULL;
	}
	uint32_t place = place_of(reference, writer->referred_mask);
	for (; writer->referred[place].reference != NULL; place = (place + 1) & writer->referred_mask) {
		if (writer->referred[place].reference == reference) {
			return &writer->referred[place];
		}
	}
	if (!adds) {
		return NULL;
	}
	writer->referred[place].reference = reference;
	writer->referred_count++;
	return &writer->referred[place];
}

ZEND_COLD const zval *snapshot_behind(snapshot_writer *writer, const zval *element)
{
	const zend_reference *reference = Z_REF_P(element);
	if (GC_REFCOUNT(reference) > 1) {
		if (!writer->counts_references) {
			writer->met_reference = true;
		} else {
			const snapshot_referred *referred = snapshot_find_referred(writer, reference, false);
			if (referred != NULL && referred->occurs > 1) {
				return element;
			}
		}
	}
	return &reference->val;
}

static bool count_in(snapshot_writer *writer, zval *element, uint32_t depth)
{
	if (Z_TYPE_P(element) == IS_REFERENCE) {
		if (Z_REFCOUNT_P(element) > 1 && snapshot_find_referred(writer, Z_REF_P(element), true)->occurs++ > 0) {
			return true;
		}
		ZVAL_DEREF(element);
	}
	return (Z_TYPE_P(element) != IS_ARRAY && Z_TYPE_P(element) != IS_OBJECT) || snapshot_count_references(writer, element, depth);
}

static bool count_in_data(snapshot_writer *writer, zend_object *object, uint32_t depth)
{
	zval data;
	zend_array *array = snapshot_own_data(object);
	if (UNEXPECTED(array == NULL)) {
		return false;
	}
	ZVAL_ARR(&data, snapshot_keep_array(writer, array));
	return snapshot_count_references(writer, &data, depth);
}

bool snapshot_count_references(snapshot_writer *writer, zval *value, uint32_t depth)
{
	zend_array *array = NULL;
	zval *element;
	if (Z_TYPE_P(value) == IS_ARRAY) {
		array = Z_ARR_P(value);
	} else {
		zend_object *object = Z_OBJ_P(value);
		if (snapshot_is_case(value)) {
			return true;
		}
		bool has_data = snapshot_has_own_data(object);
		if (!has_data && !snapshot_is_plain(writer, object)) {
			return false;
		}
		uint32_t known = writer->objects_count;
		snapshot_object_number(writer, object);
		if (known == writer->objects_count) {
			return true;
		}
		if (has_data) {
			return depth < writer->max_depth && count_in_data(writer, object, depth + 1);
		}
		array = object->ce == zend_standard_class_def ? object->properties : NULL;
		for (int i = 0; array == NULL && i < object->ce->default_properties_count; i++) {
			if (depth >= writer->max_depth || !count_in(writer, &object->properties_table[i], depth + 1)) {
				return false;
			}
		}
	}
	if (depth >= writer->max_depth) {
		return false;
	}
	if (array != NULL) {
		ZEND_HASH_FOREACH_VAL(array, element) {
			if (!count_in(writer, element, depth + 1)) {
				return false;
			}
		} ZEND_HASH_FOREACH_END();
	}
	return true;
}
