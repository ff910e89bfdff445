/*
 * A hash table of the PHP references in a value. graph.c counts how often each reference occurs. Only a reference that
 * occurs more than once is written as a reference (spec/10-snapshot.md#references).
 */
#include "writer.h"

#define FIRST_PLACES 16

static zend_always_inline uint32_t place_of(const zend_reference *reference, uint32_t mask)
{
	return (uint32_t) ((uintptr_t) reference * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
}

/* Returns the entry of a reference. If there is no entry yet, `adds` decides: true adds one, false returns NULL. */
snapshot_referred *snapshot_find_referred(snapshot_writer *writer, zend_reference *reference, bool adds)
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
	GC_ADDREF(reference);
	writer->referred[place].reference = reference;
	writer->referred_count++;
	return &writer->referred[place];
}

ZEND_COLD const zval *snapshot_behind(snapshot_writer *writer, const zval *element)
{
	zend_reference *reference = Z_REF_P(element);
	if (GC_REFCOUNT(reference) > 1) {
		if (writer->walk == 0) {
			writer->needs_walk = true;
		} else {
			const snapshot_referred *referred = snapshot_find_referred(writer, reference, false);
			if (referred != NULL && referred->occurs > 1) {
				return element;
			}
		}
	}
	return &reference->val;
}
