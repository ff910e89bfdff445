/*
 * Calls the methods of Packer and BufferUnpacker that are meant for C (Native/Encoding.php and Native/Decoding.php).
 * The methods pack or decode a value, throw an error, or store what is left of limits. A call may run user code. So the
 * caller must hold references to everything that it uses after the call, such as the buffer or the array being encoded.
 */
#include "../php_polypack.h"
#include "errors.h"

void polypack_make_steps(zval *steps, const polypack_step *path)
{
	uint32_t count = 0;
	for (const polypack_step *step = path; step != NULL; step = step->around) {
		count++;
	}
	if (count == 0) {
		ZVAL_EMPTY_ARRAY(steps);
		return;
	}
	array_init_size(steps, count);
	zend_hash_real_init_packed(Z_ARRVAL_P(steps));
	ZEND_HASH_FILL_PACKED(Z_ARRVAL_P(steps)) {
		ZEND_HASH_FILL_GROW();
		for (uint32_t i = 0; i < count; i++) {
			ZEND_HASH_FILL_SET_NULL();
			ZEND_HASH_FILL_NEXT();
		}
	} ZEND_HASH_FILL_END();
	for (const polypack_step *step = path; step != NULL; step = step->around) {
		zval *to = Z_ARRVAL_P(steps)->arPacked + --count;
		switch (step->kind) {
			case POLYPACK_STEP_NUMBER:
				ZVAL_LONG(to, step->key.number);
				break;
			case POLYPACK_STEP_NAME:
				ZVAL_STR_COPY(to, step->key.name);
				break;
			case POLYPACK_STEP_BIN:
				polypack_new_bin(to, zend_string_copy(step->key.name));
				break;
			case POLYPACK_STEP_OBJECT:
				ZVAL_OBJ_COPY(to, step->key.object);
				break;
			case POLYPACK_STEP_ENTRY:
				array_init_size(to, 1);
				add_next_index_long(to, step->key.number);
				break;
		}
	}
}

static void call(zend_object *object, polypack_method_index index, zval *result, uint32_t count, zval *arguments, uint32_t levels)
{
	zend_function *method = polypack_method(index);
	ZVAL_UNDEF(result);
	if (UNEXPECTED(method == NULL)) {
		if (EG(exception) == NULL) {
			zend_throw_error(NULL, "the PHP extension polypack and the library polypack/polypack are of different versions");
		}
		return;
	}
	levels += POLYPACK_CALL_BACK_LEVELS;
	POLYPACK_G(levels) += levels;
	zend_call_known_instance_method(method, object, result, count, arguments);
	POLYPACK_G(levels) -= levels;
}

zend_string *polypack_pack_inside(zend_object *packer, zval *value, const polypack_step *path, zend_long key_depth, uint32_t levels)
{
	zval arguments[3], result;
	POLYPACK_COUNT(POLYPACK_ENCODE_ASKED);
	ZVAL_COPY(&arguments[0], value);
	polypack_make_steps(&arguments[1], path);
	if (key_depth < 0) {
		ZVAL_NULL(&arguments[2]);
	} else {
		ZVAL_LONG(&arguments[2], key_depth);
	}
	call(packer, POLYPACK_PACK_INSIDE, &result, 3, arguments, levels);
	zval_ptr_dtor(&arguments[0]);
	zval_ptr_dtor(&arguments[1]);
	if (UNEXPECTED(Z_TYPE(result) != IS_STRING)) {
		zval_ptr_dtor(&result);
		return NULL;
	}
	if (UNEXPECTED(EG(exception) != NULL)) { /* a destructor has thrown */
		zval_ptr_dtor(&result);
		return NULL;
	}
	return Z_STR(result);
}

/* Makes a PHP reference to a number, to pass the number to a by-reference parameter. */
static void make_variable(zval *variable, uint64_t number)
{
	zval value;
	ZVAL_LONG(&value, (zend_long) number);
	ZVAL_NEW_REF(variable, &value);
}

/*
 * Frees a reference from make_variable(), and returns its number. Returns 0 for a negative number, which means that a
 * limit is exceeded.
 */
static uint64_t take_variable(zval *variable)
{
	zval *value = Z_REFVAL_P(variable);
	uint64_t number = Z_TYPE_P(value) == IS_LONG && Z_LVAL_P(value) > 0 ? (uint64_t) Z_LVAL_P(value) : 0;
	zval_ptr_dtor(variable);
	return number;
}

bool polypack_unpack_inside(zval *to, zend_object *unpacker, zend_string *buffer, size_t start, size_t *offset,
	const polypack_step *path, size_t owed, uint64_t *comparisons, uint64_t *memory, uint32_t levels)
{
	zval arguments[7], result;
	POLYPACK_COUNT(POLYPACK_DECODE_ASKED);
	ZVAL_STR_COPY(&arguments[0], buffer);
	ZVAL_LONG(&arguments[1], (zend_long) start);
	make_variable(&arguments[2], *offset);
	polypack_make_steps(&arguments[3], path);
	ZVAL_LONG(&arguments[4], (zend_long) owed);
	make_variable(&arguments[5], *comparisons);
	make_variable(&arguments[6], *memory);
	call(unpacker, POLYPACK_UNPACK_INSIDE, &result, 7, arguments, levels);
	size_t moved = (size_t) take_variable(&arguments[2]);
	*comparisons = take_variable(&arguments[5]);
	*memory = take_variable(&arguments[6]);
	bool is_good = Z_TYPE(result) != IS_UNDEF && EG(exception) == NULL && moved > *offset && moved <= ZSTR_LEN(buffer);
	if (EXPECTED(is_good)) {
		*offset = moved;
		ZVAL_COPY_VALUE(to, &result);
	} else {
		zval_ptr_dtor(&result);
		ZVAL_NULL(to);
	}
	zval_ptr_dtor(&arguments[0]);
	zval_ptr_dtor(&arguments[3]);
	return is_good;
}

void polypack_leave_inside(zend_object *unpacker, uint64_t comparisons, uint64_t memory)
{
	zval arguments[2], result;
	ZVAL_LONG(&arguments[0], (zend_long) comparisons);
	ZVAL_LONG(&arguments[1], (zend_long) memory);
	call(unpacker, POLYPACK_LEAVE_INSIDE, &result, 2, arguments, 0);
	zval_ptr_dtor(&result);
}

void polypack_fail_inside(zend_object *unpacker, zend_string *buffer, size_t start)
{
	zval arguments[2], result;
	ZVAL_STR_COPY(&arguments[0], buffer);
	ZVAL_LONG(&arguments[1], (zend_long) start);
	call(unpacker, POLYPACK_FAIL_INSIDE, &result, 2, arguments, 0);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&arguments[0]);
}

bool polypack_are_options(zend_long options, const zend_long *groups, size_t count)
{
	zend_long unknown = options;
	for (size_t i = 0; i < count; i++) {
		zend_long chosen = options & groups[i];
		if ((chosen & (chosen - 1)) != 0) {
			return false;
		}
		unknown &= ~groups[i];
	}
	return unknown == 0;
}

void polypack_call_library(const char *method, zval *result, zval *value, zend_long options)
{
	zend_string *name = ZSTR_INIT_LITERAL("Polypack\\MessagePack", 0);
	zend_class_entry *class = zend_lookup_class(name);
	zend_string_release(name);
	if (UNEXPECTED(class == NULL)) {
		if (EG(exception) == NULL) {
			zend_throw_error(NULL, "this value needs the library polypack/polypack, which is not installed; install it with Composer");
		}
		return;
	}
	zend_function *function = zend_hash_str_find_ptr(&class->function_table, method, strlen(method));
	if (UNEXPECTED(function == NULL)) {
		zend_throw_error(NULL, "Polypack\\MessagePack has no method %s()", method);
		return;
	}
	zval arguments[2];
	ZVAL_COPY(&arguments[0], value);
	ZVAL_LONG(&arguments[1], options);
	zend_call_known_function(function, NULL, class, result, 2, arguments, NULL);
	zval_ptr_dtor(&arguments[0]);
}
