/*
 * Stores sessions as snapshots: session.serialize_handler=polypack (docs/guides/cache.md#sessions).
 *
 * php/src/Snapshot/Sessions.php handles signatures and allowed classes. C calls it if the ini settings ask for either
 * of them. The PHP library also handles what C declines, or throws the error.
 *
 * If a session can't be encoded, PHP would overwrite the stored bytes. If a session can't be decoded, PHP would destroy
 * it. So this file keeps the bytes that were read, and writes them back unchanged in both cases. But kept_bytes()
 * doesn't return them if they may be signed for another session id. With polypack.session_on_failure=destroy, a session
 * that can't be decoded is destroyed. spare_session() handles fatal errors in decoding, after which PHP would destroy
 * the session, too.
 *
 * PHP also decodes sessions before the script runs, for session.auto_start and for the progress of uploads. There is no
 * autoloader yet, and the library is there only if it is preloaded. So a failure before the script never destroys the
 * session, and nothing is thrown. The script's own session_start() decodes the same bytes.
 *
 * Except on Windows, the session extension may not be loaded. So its symbols are looked up when PHP starts.
 */
#include "session.h"

#if __has_include("ext/session/php_session.h")

#include "library.h"
#include "snapshot.h"
#include "../../php_polypack.h"

#include "Zend/zend_exceptions.h"
#include "Zend/zend_interfaces.h"
#include "ext/session/php_session.h"

#ifdef PHP_WIN32 /* on Windows, the session extension is part of PHP itself */
# define SYMBOL(name) ((void *) &name)
#else
# include <dlfcn.h>
# define SYMBOL(name) dlsym(RTLD_DEFAULT, #name)
#endif

typedef zend_result (*register_function)(const char *name, zend_string *(*encode)(PS_SERIALIZER_ENCODE_ARGS),
	zend_result (*decode)(PS_SERIALIZER_DECODE_ARGS));
typedef zend_result (*flush_function)(int write);

/* These pointers are set once per process, when PHP starts. */
static flush_function flush_session;
#ifdef ZTS
static ts_rsrc_id *session_globals;
# define SESSION(field) (TSRMG_BULK(*session_globals, php_ps_globals *)->field)
#else
static php_ps_globals *session_globals;
# define SESSION(field) (session_globals->field)
#endif

/* Settings */

static bool is_set(const char *name, size_t length)
{
	const char *value = zend_ini_string((char *) name, length, 0);
	return value != NULL && *value != '\0';
}
#define IS_SET(name) is_set(name, sizeof(name) - 1)

/* Tells whether sessions are signed, or limited to some classes. */
static bool has_policy(void)
{
	return IS_SET("polypack.session_key_file") || IS_SET("polypack.session_key_env") || IS_SET("polypack.session_allowed_classes");
}

static bool destroys(void)
{
	const char *value = zend_ini_string(ZEND_STRL("polypack.session_on_failure"), 0);
	return value != NULL && polypack_session_destroys(value);
}

/* Tells whether a signature holds for one session id only. Unknown words mean that it does, as in Sessions.php. */
static bool binds_id(void)
{
	static const char *const OFF[] = {"", "0", "off", "no", "false", "none"};
	const char *value = zend_ini_string(ZEND_STRL("polypack.session_bind_id"), 0);
	for (size_t i = 0; value != NULL && i < sizeof(OFF) / sizeof(OFF[0]); i++) {
		if (strcasecmp(value, OFF[i]) == 0) {
			return false;
		}
	}
	return value != NULL;
}

/* Tells whether the script is calling PHP's function of this name, such as session_encode(). */
static bool is_inside(const char *function, size_t length)
{
	const zend_execute_data *call = EG(current_execute_data);
	return call != NULL && call->func != NULL && call->func->type == ZEND_INTERNAL_FUNCTION && call->func->common.function_name != NULL
		&& zend_string_equals_cstr(call->func->common.function_name, function, length);
}
#define IS_INSIDE(function) is_inside(function, sizeof(function) - 1)

/* Exceptions */

/*
 * Tells whether PHP calls this file before the script runs. Then there is no frame. After the script has ended,
 * polypack_session_end() pushes one.
 */
static bool is_before_script(void)
{
	return EG(current_execute_data) == NULL;
}

/*
 * Pushes a frame as if the script had called session_write_close(). Without a frame, PHP turns each exception into a
 * fatal error.
 */
static zend_execute_data *push_frame(void)
{
	zend_function *function = zend_hash_str_find_ptr(EG(function_table), ZEND_STRL("session_write_close"));
	if (UNEXPECTED(function == NULL)) { /* disable_functions may have removed it */
		function = (zend_function *) &zend_pass_function;
	}
	zend_execute_data *frame = zend_vm_stack_push_call_frame(ZEND_CALL_TOP_FUNCTION, function, 0, NULL);
	frame->prev_execute_data = NULL;
	EG(current_execute_data) = frame;
	return frame;
}

/* Pops the frame. If an exception is pending, reports it as uncaught. */
static void pop_frame(zend_execute_data *frame)
{
	if (UNEXPECTED(EG(exception) != NULL)) {
		zend_exception_error(EG(exception), E_ERROR);
	}
	EG(current_execute_data) = NULL;
	zend_vm_stack_free_call_frame(frame);
}

/* Returns the message of an exception. The caller releases the string. */
static zend_string *message_of(zend_object *exception)
{
	zval rest, *message;
	if (UNEXPECTED(zend_is_unwind_exit(exception))) {
		return zend_string_init(ZEND_STRL("a hook of an object has called exit()"), 0);
	}
	message = zend_read_property_ex(zend_get_exception_base(exception), exception, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &rest);
	return zend_string_copy(Z_TYPE_P(message) == IS_STRING ? Z_STR_P(message) : exception->ce->name);
}

/*
 * Clears an exception that was thrown before the script runs. Logs its message if it is the first in this request.
 * Doesn't display the message: PHP might then send the headers, and session_start() would fail in the script.
 */
static void log_exception(void)
{
	zend_string *message = message_of(EG(exception));
	zend_clear_exception();
	if (!POLYPACK_G(session_has_logged)) {
		uint8_t display = PG(display_errors);
		PG(display_errors) = 0;
		php_error_docref(NULL, E_WARNING, "The session can't be used before the script runs, and stays as it is. No progress of uploads is stored in it, "
			"and session.auto_start doesn't start it; call session_start() in the script: %s", ZSTR_VAL(message));
		PG(display_errors) = display;
		POLYPACK_G(session_has_logged) = true;
	}
	zend_string_release(message);
}

/* The library */

/*
 * Calls Sessions::encode() or Sessions::decode(). Also passes the save handler's name, the session's name and the
 * session's id, because signatures depend on them. On failure, returns false with an exception pending.
 */
static bool call_sessions(const char *method, zval *result, zval *argument)
{
	zval arguments[4];
	ZVAL_COPY(&arguments[0], argument);
	ZVAL_STRING(&arguments[1], SESSION(mod)->s_name);
	POLYPACK_ZVAL_SESSION_NAME(&arguments[2], SESSION(session_name));
	if (SESSION(id) == NULL) {
		ZVAL_EMPTY_STRING(&arguments[3]);
	} else {
		ZVAL_STR_COPY(&arguments[3], SESSION(id));
	}
	bool is_good = polypack_call_snapshot_library("Sessions", method, "this session", result, 4, arguments);
	for (int i = 0; i < 4; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
	return is_good;
}

/* The bytes that were read */

/*
 * Keeps the bytes that were read, for kept_bytes(). If `length` is 0, only drops the bytes that were kept before.
 * `is_broken` tells that the bytes could not be decoded.
 */
static void keep(const char *bytes, size_t length, bool is_broken)
{
	if (POLYPACK_G(session_bytes) != NULL) {
		zend_string_release(POLYPACK_G(session_bytes));
	}
	if (POLYPACK_G(session_bytes_id) != NULL) {
		zend_string_release(POLYPACK_G(session_bytes_id));
	}
	POLYPACK_G(session_bytes) = length == 0 ? NULL : zend_string_init(bytes, length, 0);
	POLYPACK_G(session_bytes_id) = length == 0 || SESSION(id) == NULL ? NULL : zend_string_copy(SESSION(id));
	POLYPACK_G(session_is_broken) = is_broken;
}

/*
 * Returns the bytes that were read, or '' if there are none. If binds_id() is true, the bytes may be signed for one
 * session id only. Then also returns '' if the id has changed since, for example by session_regenerate_id().
 */
static zend_string *kept_bytes(void)
{
	const zend_string *id = SESSION(id), *of = POLYPACK_G(session_bytes_id);
	if (POLYPACK_G(session_bytes) == NULL || (binds_id() && (id == NULL || of == NULL || !zend_string_equals(id, of)))) {
		return ZSTR_EMPTY_ALLOC();
	}
	return zend_string_copy(POLYPACK_G(session_bytes));
}

/* Encoding */

/*
 * Turns the pending exception into a warning, so that PHP still closes the session and releases its lock. If a hook has
 * called exit() while the script runs, exit() stays pending.
 *
 * An error handler may throw an exception when it gets the warning. This exception replaces exit(). If no caller can
 * catch it, reports it as uncaught here, because PHP calls no save handler of user code while an exception is pending.
 */
static void warn_of_exception(void)
{
	zend_object *exception = EG(exception);
	zend_string *message = message_of(exception);
	bool exits = zend_is_unwind_exit(exception);
	GC_ADDREF(exception);
	zend_clear_exception();
	php_error_docref(NULL, E_WARNING, "The session was not saved, and what was stored stays: %s", ZSTR_VAL(message));
	zend_string_release(message);
	if (UNEXPECTED(EG(exception) != NULL) && EG(current_execute_data)->prev_execute_data == NULL) {
		zend_exception_error(EG(exception), E_ERROR);
	}
	if (UNEXPECTED(exits) && EG(exception) == NULL && EG(current_execute_data)->prev_execute_data != NULL) {
		EG(exception) = exception;
	} else {
		OBJ_RELEASE(exception);
	}
}

/* Encodes the session's variables. On failure, returns NULL with an exception pending. */
static zend_string *write_variables(zval *variables)
{
	zval value, result;
	ZVAL_COPY(&value, variables); /* a reference of our own, because hooks may change $_SESSION */
	zend_string *out = has_policy() ? NULL : polypack_write_snapshot(&value, SNAPSHOT_MAX_DEPTH, SNAPSHOT_MAX_ELEMENTS, 0, NULL);
	if (out == NULL && call_sessions("encode", &result, &value)) {
		out = Z_STR(result);
	}
	zval_ptr_dtor(&value);
	return out;
}

/*
 * Encodes the session before the script runs. If the stored bytes could not be decoded, or if encoding fails, returns
 * the stored bytes unchanged. The globals don't hold these bytes while it runs: after a fatal error, PHP wouldn't call
 * polypack_session_end(), which frees them.
 */
static zend_string *encode_before_script(zval *variables)
{
	zend_string *kept = kept_bytes();
	bool is_broken = POLYPACK_G(session_is_broken);
	keep("", 0, false);
	if (is_broken) {
		return kept;
	}
	zend_execute_data *frame = push_frame();
	zend_string *out = write_variables(variables);
	if (UNEXPECTED(out == NULL)) {
		log_exception();
	}
	pop_frame(frame);
	if (UNEXPECTED(out == NULL)) {
		return kept;
	}
	zend_string_release(kept);
	return out;
}

static zend_string *encode(PS_SERIALIZER_ENCODE_ARGS)
{
	bool is_function = IS_INSIDE("session_encode");
	zval *variables = &SESSION(http_session_vars);
	if (!Z_ISREF_P(variables) || Z_TYPE_P(Z_REFVAL_P(variables)) != IS_ARRAY) {
		return ZSTR_EMPTY_ALLOC();
	}
	if (UNEXPECTED(is_before_script())) {
		return encode_before_script(Z_REFVAL_P(variables));
	}
	if (UNEXPECTED(POLYPACK_G(session_is_broken)) && !is_function) {
		return kept_bytes();
	}
	zend_string *out = write_variables(Z_REFVAL_P(variables));
	if (EXPECTED(out != NULL) || is_function) {
		return out;
	}
	warn_of_exception();
	return kept_bytes();
}

/* Decoding */

/* Decodes the session's variables, which must be an array. On failure, returns false with an exception pending. */
static bool read_variables(zval *variables, const char *bytes, size_t length)
{
	if (!has_policy()) {
		if (UNEXPECTED(!polypack_unserialize_value(variables, bytes, length, 0, "this session"))) {
			return false;
		}
		if (EXPECTED(Z_TYPE_P(variables) == IS_ARRAY)) {
			return true;
		}
		zval nothing;
		polypack_call_snapshot_library("Sessions", "refuse", "this session", &nothing, 0, NULL); /* throws */
		zval_ptr_dtor(variables);
		return false;
	}
	zval argument;
	ZVAL_STRINGL(&argument, bytes, length);
	bool is_good = call_sessions("decode", variables, &argument);
	zval_ptr_dtor(&argument);
	return is_good;
}

static void set_variables(zval *variables)
{
	zend_string *name = zend_string_init(ZEND_STRL("_SESSION"), 0);
	if (!Z_ISUNDEF(SESSION(http_session_vars))) {
		zval_ptr_dtor(&SESSION(http_session_vars));
	}
	SEPARATE_ARRAY(variables);
	ZVAL_NEW_REF(&SESSION(http_session_vars), variables);
	Z_ADDREF(SESSION(http_session_vars));
	zend_hash_update_ind(&EG(symbol_table), name, &SESSION(http_session_vars));
	zend_string_release(name);
}

/*
 * After a fatal error in decoding, PHP closes the session, and destroys the stored session that has SESSION(id). This
 * function removes the id, so that PHP can't.
 */
static void spare_session(void)
{
	if (SESSION(id) != NULL) {
		zend_string_release(SESSION(id));
		SESSION(id) = NULL;
	}
	keep("", 0, false);
	php_error_docref(NULL, E_WARNING, "A fatal error has ended the decoding of the session. What was stored stays, although PHP says that it has been destroyed");
}

/*
 * Does what read_variables() does. After a fatal error, keeps PHP from destroying the session, except if the script
 * runs and polypack.session_on_failure is destroy.
 */
static bool read_carefully(zval *variables, const char *bytes, size_t length, bool is_early)
{
	bool is_good = false;
	zend_try {
		is_good = read_variables(variables, bytes, length);
	} zend_catch {
		if (is_early || !destroys()) {
			spare_session();
		}
		zend_bailout();
	} zend_end_try();
	return is_good;
}

/* Decodes the session's variables before the script runs. On failure, logs the exception and returns false. */
static bool read_before_script(zval *variables, const char *bytes, size_t length)
{
	zend_execute_data *frame = push_frame();
	bool is_good = read_carefully(variables, bytes, length, true);
	if (UNEXPECTED(!is_good)) {
		log_exception();
	}
	pop_frame(frame);
	return is_good;
}

static zend_result decode(PS_SERIALIZER_DECODE_ARGS)
{
	bool is_function = IS_INSIDE("session_decode"), is_early = is_before_script();
	zval variables;
	bool is_good = true;
	if (vallen == 0) {
		array_init(&variables);
	} else if (UNEXPECTED(is_early)) {
		is_good = read_before_script(&variables, val, vallen);
	} else {
		is_good = read_carefully(&variables, val, vallen, false);
	}
	if (EXPECTED(is_good)) {
		if (!is_function) {
			keep(val, vallen, false);
		}
		set_variables(&variables);
		return SUCCESS;
	}
	if (is_function) {
		return SUCCESS; /* the exception tells the user; if this returned FAILURE, PHP would destroy the session */
	}
	if (!is_early && destroys()) {
		keep("", 0, false);
		return FAILURE;
	}
	keep(val, vallen, true);
	array_init(&variables);
	set_variables(&variables);
	return SUCCESS;
}

/* The module */

void polypack_session_startup(void)
{
	register_function add = (register_function) SYMBOL(php_session_register_serializer);
	flush_session = (flush_function) SYMBOL(php_session_flush);
#ifdef ZTS
	session_globals = SYMBOL(ps_globals_id);
#else
	session_globals = SYMBOL(ps_globals);
#endif
	if (add != NULL && flush_session != NULL && session_globals != NULL) {
		add("polypack", encode, decode);
	}
}

/* Tells whether a session of this handler is open. */
static bool is_open(void)
{
	return session_globals != NULL && SESSION(session_status) == php_session_active && SESSION(serializer) != NULL && SESSION(serializer)->encode == encode;
}

void polypack_session_begin(void)
{
	if (is_open() && UNEXPECTED(POLYPACK_G(session_is_broken))) {
		flush_session(0);
		keep("", 0, false);
	}
}

void polypack_session_end(void)
{
	if (is_open()) {
		zend_try {
			zend_execute_data *frame = push_frame();
			flush_session(1);
			pop_frame(frame);
		} zend_catch { /* After a fatal error, the session extension must not encode the session a second time. */
			SESSION(session_status) = php_session_none;
		} zend_end_try();
	}
	keep("", 0, false);
	POLYPACK_G(session_has_logged) = false;
}

#else /* PHP was built without sessions, and has no header for them */

void polypack_session_startup(void)
{
}

void polypack_session_begin(void)
{
}

void polypack_session_end(void)
{
}

#endif
