/*
 * Reads whole snapshots: checks the header, lets reader.c read the value, and checks that nothing follows.
 */
#include "reader.h"
#include "snapshot.h"

/*
 * Frees everything except the objects and their hooks. A PHP reference that occurs once in the value then has refcount
 * 1, so PHP treats it as a plain value.
 */
static void free_reader(snapshot_reader *reader)
{
	for (uint32_t i = 0; i < reader->strings_count; i++) {
		zend_string_release(reader->strings[i]);
	}
	for (uint32_t i = 0; i < reader->shapes_count; i++) {
		snapshot_free_shape(reader->shapes[i]);
	}
	for (uint32_t i = 0; i < reader->references_count; i++) {
		zval reference;
		ZVAL_REF(&reference, reader->references[i]);
		zval_ptr_dtor(&reference);
	}
	if (reader->strings != NULL) {
		efree(reader->strings);
	}
	if (reader->shapes != NULL) {
		efree(reader->shapes);
	}
	if (reader->references != NULL) {
		efree(reader->references);
	}
}

/* Reads the whole snapshot. Hooks are only scheduled, not called yet. */
static bool read_whole(snapshot_reader *reader, zval *value)
{
	if (UNEXPECTED(snapshot_left(reader) <= SNAPSHOT_HEADER_LENGTH) || UNEXPECTED(memcmp(reader->p, SNAPSHOT_HEADER, SNAPSHOT_HEADER_LENGTH) != 0)) {
		return false;
	}
	reader->p += SNAPSHOT_HEADER_LENGTH;
	if (UNEXPECTED(!snapshot_read_value(reader, value, 0, 0))) {
		return false;
	}
	if (UNEXPECTED(reader->p != reader->end)) {
		zval_ptr_dtor(value);
		return false;
	}
	return true;
}

static void begin(snapshot_reader *reader, const char *bytes, size_t length, zend_long max_depth, zend_long max_elements, zend_long max_collisions)
{
	memset(reader, 0, sizeof(*reader));
	reader->p = (const uint8_t *) bytes;
	reader->end = reader->p + length;
	reader->max_depth = polypack_levels_left(max_depth);
	reader->elements = max_elements < 0 ? 0 : (zend_ulong) max_elements;
	reader->comparisons = max_collisions < 0 ? 0 : (zend_ulong) max_collisions;
	reader->policy.allows_all = true;
}

static snapshot_answer read_and_end(snapshot_reader *reader, zval *value)
{
	bool is_good = read_whole(reader, value);
	free_reader(reader);
	if (EXPECTED(is_good) && UNEXPECTED(!snapshot_run_hooks(reader))) {
		snapshot_free_objects(reader, false);
		zval_ptr_dtor(value);
		return SNAPSHOT_THREW;
	}
	snapshot_free_objects(reader, is_good);
	if (EXPECTED(is_good)) {
		POLYPACK_COUNT(POLYPACK_SNAPSHOTS_READ);
		return SNAPSHOT_READ;
	}
	if (UNEXPECTED(EG(exception) != NULL)) { /* for example, an autoloader has thrown */
		return SNAPSHOT_THREW;
	}
	POLYPACK_COUNT(POLYPACK_SNAPSHOTS_READ_DECLINED);
	return SNAPSHOT_DECLINED;
}

snapshot_answer polypack_read_snapshot(zval *to, const char *bytes, size_t length, zend_string **missing)
{
	snapshot_reader reader;
	begin(&reader, bytes, length, SNAPSHOT_MAX_DEPTH, SNAPSHOT_MAX_ELEMENTS, POLYPACK_MAX_COLLISIONS);
	snapshot_answer answer = read_and_end(&reader, to);
	*missing = reader.policy.missing;
	return answer;
}

PHP_FUNCTION(polypack_snapshot_read)
{
	zend_string *bytes;
	zend_long max_depth, max_elements, max_collisions;
	zend_object *declined;
	zend_array *allowed = NULL, *aliases = NULL;
	zval *missing = NULL;

	ZEND_PARSE_PARAMETERS_START(5, 8)
		Z_PARAM_STR(bytes)
		Z_PARAM_LONG(max_depth)
		Z_PARAM_LONG(max_elements)
		Z_PARAM_LONG(max_collisions)
		Z_PARAM_OBJ(declined)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_NULL(allowed)
		Z_PARAM_ARRAY_HT_OR_NULL(aliases)
		Z_PARAM_ZVAL(missing)
	ZEND_PARSE_PARAMETERS_END();

	snapshot_reader reader;
	zval value;
	begin(&reader, ZSTR_VAL(bytes), ZSTR_LEN(bytes), max_depth, max_elements, max_collisions);
	reader.policy.allows_all = allowed == NULL;
	reader.policy.allowed = allowed;
	reader.policy.aliases = aliases;
	snapshot_answer answer = read_and_end(&reader, &value);
	if (UNEXPECTED(reader.policy.missing != NULL)) {
		if (missing != NULL) {
			ZEND_TRY_ASSIGN_REF_STR(missing, reader.policy.missing);
		} else {
			zend_string_release(reader.policy.missing);
		}
	}
	if (EXPECTED(answer == SNAPSHOT_READ)) {
		RETURN_COPY_VALUE(&value);
	}
	if (answer == SNAPSHOT_THREW) {
		RETURN_THROWS();
	}
	RETURN_OBJ_COPY(declined);
}
