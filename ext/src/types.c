/*
 * Finds the library's classes and makes their objects. The classes are PHP code, so each request has to find them anew.
 * Objects are made without calling their constructors, because C passes only values that the constructors accept.
 */
#include "../php_polypack.h"

typedef struct {
	const char *name;
	const char *properties[2];
} class_name;

static const class_name CLASS_NAMES[POLYPACK_CLASSES] = {
	[POLYPACK_TYPE_BIN] = {"Polypack\\Type\\Bin", {"data", NULL}},
	[POLYPACK_TYPE_EXT] = {"Polypack\\Type\\Ext", {"type", "data"}},
	[POLYPACK_TYPE_TIMESTAMP] = {"Polypack\\Type\\Timestamp", {"seconds", "nanoseconds"}},
	[POLYPACK_TYPE_UINT64] = {"Polypack\\Type\\UInt64", {"digits", NULL}},
	[POLYPACK_TYPE_ENTRIES] = {"Polypack\\Type\\Entries", {"entries", NULL}},
	[POLYPACK_TYPE_MAP] = {"Polypack\\Type\\Map", {"map", NULL}},
	[POLYPACK_CAN_BE_PACKED] = {"Polypack\\CanBePacked", {NULL, NULL}},
	[POLYPACK_PACKER] = {"Polypack\\Packer", {NULL, NULL}},
	[POLYPACK_UNPACKER] = {"Polypack\\BufferUnpacker", {NULL, NULL}},
};

typedef struct {
	polypack_class_index class;
	const char *name;
} method_name;

static const method_name METHOD_NAMES[POLYPACK_METHODS] = {
	[POLYPACK_PACK_INSIDE] = {POLYPACK_PACKER, "packinside"},
	[POLYPACK_UNPACK_INSIDE] = {POLYPACK_UNPACKER, "unpackinside"},
	[POLYPACK_LEAVE_INSIDE] = {POLYPACK_UNPACKER, "leaveinside"},
	[POLYPACK_FAIL_INSIDE] = {POLYPACK_UNPACKER, "failinside"},
};

/* Adds a class to the table. Returns false if the class lacks a property that C reads or writes. */
static bool note_class(polypack_class_index index, zend_class_entry *entry)
{
	polypack_class *class = &POLYPACK_G(classes)[index];
	for (int i = 0; i < 2 && CLASS_NAMES[index].properties[i] != NULL; i++) {
		const char *name = CLASS_NAMES[index].properties[i];
		zend_property_info *info = zend_hash_str_find_ptr(&entry->properties_info, name, strlen(name));
		if (info == NULL || (info->flags & ZEND_ACC_STATIC) != 0) {
			return false;
		}
		class->properties[i] = info->offset;
	}
	class->entry = entry;
	return true;
}

const polypack_class *polypack_load_class(polypack_class_index index)
{
	const polypack_class *class = &POLYPACK_G(classes)[index];
	if (EXPECTED(class->entry != NULL)) {
		return class;
	}
	zend_string *name = zend_string_init(CLASS_NAMES[index].name, strlen(CLASS_NAMES[index].name), 0);
	zend_class_entry *entry = zend_lookup_class(name);
	zend_string_release(name);
	return entry != NULL && note_class(index, entry) ? class : NULL;
}

const polypack_class *polypack_known_classes(void)
{
	uint32_t loaded = zend_hash_num_elements(EG(class_table));
	if (UNEXPECTED(POLYPACK_G(seen_classes) != loaded)) {
		for (int index = 0; index < POLYPACK_CLASSES; index++) {
			if (POLYPACK_G(classes)[index].entry == NULL) {
				char name[64];
				size_t length = strlen(CLASS_NAMES[index].name);
				zend_str_tolower_copy(name, CLASS_NAMES[index].name, length);
				zend_class_entry *entry = zend_hash_str_find_ptr(EG(class_table), name, length);
				if (entry != NULL && (entry->ce_flags & ZEND_ACC_LINKED) != 0) {
					note_class(index, entry);
				}
			}
		}
		POLYPACK_G(seen_classes) = loaded;
	}
	return POLYPACK_G(classes);
}

zend_function *polypack_method(polypack_method_index index)
{
	zend_function **method = &POLYPACK_G(methods)[index];
	if (UNEXPECTED(*method == NULL)) {
		const polypack_class *class = polypack_load_class(METHOD_NAMES[index].class);
		if (class != NULL) {
			*method = zend_hash_str_find_ptr(&class->entry->function_table, METHOD_NAMES[index].name, strlen(METHOD_NAMES[index].name));
		}
	}
	return *method;
}

static zval *new_object(zval *to, polypack_class_index index, const polypack_class **class)
{
	ZVAL_NULL(to);
	*class = polypack_load_class(index);
	if (UNEXPECTED(*class == NULL) || UNEXPECTED(object_init_ex(to, (*class)->entry) != SUCCESS)) {
		ZVAL_NULL(to);
		return NULL;
	}
	zval *property = POLYPACK_PROPERTY(Z_OBJ_P(to), *class, 0);
	Z_PROP_FLAG_P(property) = 0; /* clears IS_PROP_UNINIT, because the caller sets a value next */
	return property;
}

bool polypack_new_bin(zval *to, zend_string *data)
{
	const polypack_class *class;
	zval *property = new_object(to, POLYPACK_TYPE_BIN, &class);
	if (UNEXPECTED(property == NULL)) {
		zend_string_release(data);
		return false;
	}
	ZVAL_STR(property, data);
	return true;
}

bool polypack_new_ext(zval *to, zend_long type, zend_string *data)
{
	const polypack_class *class;
	zval *property = new_object(to, POLYPACK_TYPE_EXT, &class);
	if (UNEXPECTED(property == NULL)) {
		zend_string_release(data);
		return false;
	}
	ZVAL_LONG(property, type);
	ZVAL_STR(POLYPACK_PROPERTY(Z_OBJ_P(to), class, 1), data);
	return true;
}

bool polypack_new_timestamp(zval *to, zend_long seconds, zend_long nanoseconds)
{
	const polypack_class *class;
	zval *property = new_object(to, POLYPACK_TYPE_TIMESTAMP, &class);
	if (UNEXPECTED(property == NULL)) {
		return false;
	}
	ZVAL_LONG(property, seconds);
	ZVAL_LONG(POLYPACK_PROPERTY(Z_OBJ_P(to), class, 1), nanoseconds);
	return true;
}

bool polypack_new_uint64(zval *to, uint64_t number)
{
	const polypack_class *class;
	zval *property = new_object(to, POLYPACK_TYPE_UINT64, &class);
	if (UNEXPECTED(property == NULL)) {
		return false;
	}
	ZVAL_STR(property, polypack_digits(number));
	return true;
}

bool polypack_new_entries(zval *to, zend_array *entries)
{
	const polypack_class *class;
	zval *property = new_object(to, POLYPACK_TYPE_ENTRIES, &class);
	if (UNEXPECTED(property == NULL)) {
		zend_array_release(entries);
		return false;
	}
	ZVAL_ARR(property, entries);
	return true;
}

zend_string *polypack_digits(uint64_t number)
{
	char digits[MAX_LENGTH_OF_LONG + 1];
	char *end = digits + sizeof(digits) - 1;
	char *first = zend_print_ulong_to_buf(end, number);
	return zend_string_init(first, end - first, 0);
}

bool polypack_read_digits(const zend_string *digits, uint64_t *number)
{
	*number = 0;
	if (ZSTR_LEN(digits) == 0 || ZSTR_LEN(digits) > 20) {
		return false;
	}
	for (size_t i = 0; i < ZSTR_LEN(digits); i++) {
		uint64_t digit = (uint64_t) (ZSTR_VAL(digits)[i] - '0');
		if (digit > 9 || *number > UINT64_MAX / 10 || *number * 10 > UINT64_MAX - digit) {
			return false;
		}
		*number = *number * 10 + digit;
	}
	return true;
}
