/*
 * Defines polypack_serialize_signed() and polypack_unserialize_signed(), for snapshots in the envelope of
 * spec/11-envelope.md. C does the work if there is no option, or only `purpose`. C calls the PHP library for other
 * options, for values that C declines, and always if the environment has POLYPACK_ENGINE=php. C also calls it if a key
 * is missing or too short, or if a signature is invalid, because the library throws these errors.
 */
#include "library.h"
#include "sha256.h"

#include "../../php_polypack.h"

#include "Zend/zend_attributes.h"

#define SHORTEST_KEY 16
#define LONGEST_ID 32
#define PURPOSE_HASH 8
#define PURPOSE_AT 14
#define FIXED (PURPOSE_AT + PURPOSE_HASH + 1) /* bytes before the key's id; the last byte is the id's length */

/* The start of every envelope of version 1: c1 45, version, algorithm, and ten reserved bytes, which are 0. */
static const uint8_t START[PURPOSE_AT] = {0xc1, 0x45, 1, 1};

/* Keys */

static bool is_ring(const zval *key)
{
	return Z_TYPE_P(key) == IS_OBJECT && zend_string_equals_literal(Z_OBJCE_P(key)->name, "Polypack\\Snapshot\\KeyRing");
}

/*
 * Checks that an argument is a KeyRing or a string. Converts other values to a string if PHP would do so for a
 * parameter of type KeyRing|string. Otherwise throws and returns false.
 */
static bool check_key(zval *key, uint32_t number)
{
	zend_string *text;
	if (EXPECTED(is_ring(key)) || (EXPECTED(Z_TYPE_P(key) != IS_NULL) && EXPECTED(zend_parse_arg_str(key, &text, false, number)))) {
		return true;
	}
	if (EG(exception) == NULL) {
		zend_argument_type_error(number, "must be of type Polypack\\Snapshot\\KeyRing|string, %s given", zend_zval_type_name(key));
	}
	return false;
}

static zval *property(const zval *ring, const char *name, size_t length, zval *room)
{
	zval *value = zend_read_property(Z_OBJCE_P(ring), Z_OBJ_P(ring), name, length, true, room);
	ZVAL_DEREF(value);
	return value;
}

/*
 * Returns the keys of a ring by their ids. KeyRing holds this array in a SensitiveParameterValue, so that dumps don't
 * show the keys.
 */
static const zval *keys_of(const zval *ring, zval *room)
{
	const zval *keys = property(ring, ZEND_STRL("keys"), room);
	bool is_hidden = Z_TYPE_P(keys) == IS_OBJECT && Z_OBJCE_P(keys) == zend_ce_sensitive_parameter_value;
	return EXPECTED(is_hidden) ? OBJ_PROP_NUM(Z_OBJ_P(keys), 0) : keys;
}

/*
 * Returns the key whose id is `sought`. If `sought` is NULL, returns the key to sign with, and sets `id` to its id.
 * Returns NULL if the key is missing or too short. A key that isn't in a KeyRing has the id ''.
 */
static zend_string *find_key(const zval *key, zend_string **id, const char *sought, size_t length)
{
	zval keys_room, id_room, *found = NULL;
	if (EXPECTED(Z_TYPE_P(key) == IS_STRING)) {
		found = length == 0 ? (zval *) key : NULL;
		*id = ZSTR_EMPTY_ALLOC();
	} else {
		const zval *keys = keys_of(key, &keys_room);
		if (sought == NULL) {
			const zval *first = property(key, ZEND_STRL("id"), &id_room);
			if (Z_TYPE_P(first) != IS_STRING || Z_STRLEN_P(first) > LONGEST_ID) {
				return NULL;
			}
			*id = Z_STR_P(first);
			sought = Z_STRVAL_P(first);
			length = Z_STRLEN_P(first);
		}
		if (EXPECTED(Z_TYPE_P(keys) == IS_ARRAY)) {
			found = zend_symtable_str_find(Z_ARRVAL_P(keys), sought, length);
		}
	}
	return found != NULL && Z_TYPE_P(found) == IS_STRING && Z_STRLEN_P(found) >= SHORTEST_KEY ? Z_STR_P(found) : NULL;
}

/* Options */

/*
 * Returns the purpose, or '' if there are no options. Returns NULL if there are other options, or if the purpose isn't
 * a string. The caller releases the string, which has a reference of its own, because hooks may change the options.
 */
static zend_string *purpose_of(const zval *options)
{
	uint32_t count = options == NULL ? 0 : zend_hash_num_elements(Z_ARRVAL_P(options));
	if (count == 0) {
		return ZSTR_EMPTY_ALLOC();
	}
	zval *purpose = count == 1 ? zend_hash_str_find(Z_ARRVAL_P(options), ZEND_STRL("purpose")) : NULL;
	if (UNEXPECTED(purpose == NULL)) {
		return NULL;
	}
	ZVAL_DEREF(purpose);
	return Z_TYPE_P(purpose) == IS_STRING ? zend_string_copy(Z_STR_P(purpose)) : NULL;
}

/* The envelope */

static void hash_purpose(const zend_string *purpose, uint8_t to[PURPOSE_HASH])
{
	static const uint8_t of_nothing[PURPOSE_HASH] = {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14};
	uint8_t digest[SHA256_LENGTH];
	sha256 hash;
	if (ZSTR_LEN(purpose) == 0) {
		memcpy(to, of_nothing, PURPOSE_HASH);
		return;
	}
	polypack_sha256_begin(&hash);
	polypack_sha256_add(&hash, ZSTR_VAL(purpose), ZSTR_LEN(purpose));
	polypack_sha256_end(&hash, digest);
	memcpy(to, digest, PURPOSE_HASH);
}

static void make_tag(const zend_string *key, const void *head, size_t head_length, const zend_string *purpose, const void *payload, size_t length, uint8_t to[SHA256_LENGTH])
{
	uint32_t n = (uint32_t) ZSTR_LEN(purpose);
	const uint8_t purpose_length[4] = {(uint8_t) n, (uint8_t) (n >> 8), (uint8_t) (n >> 16), (uint8_t) (n >> 24)};
	hmac_sha256 hmac;
	polypack_hmac_begin(&hmac, key);
	polypack_hmac_add(&hmac, head, head_length);
	polypack_hmac_add(&hmac, purpose_length, sizeof(purpose_length));
	polypack_hmac_add(&hmac, ZSTR_VAL(purpose), ZSTR_LEN(purpose));
	polypack_hmac_add(&hmac, payload, length);
	polypack_hmac_end(&hmac, to);
}

/* Puts the envelope in front of a payload. Takes over the payload's reference. */
static zend_string *sign(zend_string *payload, const zend_string *id, const zend_string *key, const zend_string *purpose)
{
	size_t length = ZSTR_LEN(payload), head_length = FIXED + ZSTR_LEN(id), start = head_length + SHA256_LENGTH;
	zend_string *out = zend_string_extend(payload, start + length, false);
	uint8_t *bytes = (uint8_t *) ZSTR_VAL(out);
	memmove(bytes + start, bytes, length + 1);
	memcpy(bytes, START, PURPOSE_AT);
	hash_purpose(purpose, bytes + PURPOSE_AT);
	bytes[FIXED - 1] = (uint8_t) ZSTR_LEN(id);
	memcpy(bytes + FIXED, ZSTR_VAL(id), ZSTR_LEN(id));
	make_tag(key, bytes, head_length, purpose, bytes + start, length, bytes + head_length);
	return out;
}

/* Compares in constant time, so that timing doesn't tell an attacker how many bytes of a forged tag are right. */
static bool are_equal(const uint8_t *a, const uint8_t *b, size_t length)
{
	volatile uint8_t difference = 0;
	for (size_t i = 0; i < length; i++) {
		difference |= a[i] ^ b[i];
	}
	return difference == 0;
}

/* Returns where the payload starts, or 0 if the signature doesn't hold. */
static size_t verify(const zend_string *given, const zval *key, const zend_string *purpose)
{
	const uint8_t *bytes = (const uint8_t *) ZSTR_VAL(given);
	size_t id_length = ZSTR_LEN(given) < FIXED ? 0 : bytes[FIXED - 1], head_length = FIXED + id_length, start = head_length + SHA256_LENGTH;
	zend_string *id, *found;
	uint8_t tag[SHA256_LENGTH], purpose_hash[PURPOSE_HASH];
	if (ZSTR_LEN(given) < start || id_length > LONGEST_ID || memcmp(bytes, START, PURPOSE_AT) != 0) {
		return 0;
	}
	found = find_key(key, &id, (const char *) bytes + FIXED, id_length);
	if (found == NULL) {
		return 0;
	}
	/* The hash of the purpose is compared last: if the tag is wrong, anyone may have written this hash. */
	hash_purpose(purpose, purpose_hash);
	make_tag(found, bytes, head_length, purpose, bytes + start, ZSTR_LEN(given) - start, tag);
	return are_equal(tag, bytes + head_length, SHA256_LENGTH) && are_equal(purpose_hash, bytes + PURPOSE_AT, PURPOSE_HASH) ? start : 0;
}

/* The functions */

/* Calls the library with all arguments. Throws on failure. */
static void call_library(const char *method, const char *who, zval *return_value, zval *first, zval *key, zval *options)
{
	zval arguments[3], result;
	ZVAL_COPY_VALUE(&arguments[0], first);
	ZVAL_COPY_VALUE(&arguments[1], key);
	if (options == NULL) {
		ZVAL_EMPTY_ARRAY(&arguments[2]);
	} else {
		ZVAL_COPY_VALUE(&arguments[2], options);
	}
	if (polypack_call_snapshot_library("Serializer", method, who, &result, 3, arguments)) {
		ZVAL_COPY_VALUE(return_value, &result);
	}
}

PHP_FUNCTION(polypack_serialize_signed)
{
	const char *who = "polypack_serialize_signed()";
	zval *value, *key, *options = NULL;
	zend_string *id, *found;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_ZVAL(value)
		Z_PARAM_ZVAL(key)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY(options)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(!check_key(key, 2))) {
		RETURN_THROWS();
	}
	zend_string *purpose = POLYPACK_G(is_switched_off) ? NULL : purpose_of(options);
	if (UNEXPECTED(purpose == NULL) || UNEXPECTED((found = find_key(key, &id, NULL, 0)) == NULL)) {
		call_library("serializesigned", who, return_value, value, key, options);
	} else {
		/*
		 * References are held, because hooks could free the id and the key if the script defines its own class KeyRing.
		 */
		zend_string_addref(id);
		zend_string_addref(found);
		zend_string *out = polypack_serialize_value(value, who);
		if (EXPECTED(out != NULL)) {
			RETVAL_STR(sign(out, id, found, purpose));
		}
		zend_string_release(id);
		zend_string_release(found);
	}
	if (EXPECTED(purpose != NULL)) {
		zend_string_release(purpose);
	}
}

PHP_FUNCTION(polypack_unserialize_signed)
{
	const char *who = "polypack_unserialize_signed()";
	zend_string *bytes;
	zval *key, *options = NULL, first, value;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR_OR_NULL(bytes)
		Z_PARAM_ZVAL(key)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY(options)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(bytes == NULL)) { /* a miss of a cache, say; PHP would take it for '' */
		zend_argument_type_error(1, "must be of type string, null given");
		RETURN_THROWS();
	}
	if (UNEXPECTED(!check_key(key, 2))) {
		RETURN_THROWS();
	}
	zend_string *purpose = POLYPACK_G(is_switched_off) ? NULL : purpose_of(options);
	size_t start = UNEXPECTED(purpose == NULL) ? 0 : verify(bytes, key, purpose);
	zend_string_addref(bytes); /* held, because hooks may change the caller's variable */
	if (UNEXPECTED(start == 0)) {
		ZVAL_STR(&first, bytes);
		call_library("unserializesigned", who, return_value, &first, key, options);
	} else if (EXPECTED(polypack_unserialize_value(&value, ZSTR_VAL(bytes) + start, ZSTR_LEN(bytes) - start, start, who))) {
		ZVAL_COPY_VALUE(return_value, &value);
	}
	zend_string_release(bytes);
	if (EXPECTED(purpose != NULL)) {
		zend_string_release(purpose);
	}
}
