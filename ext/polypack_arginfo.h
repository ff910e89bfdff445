/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: aad6428decb38c4bca4b50c5ca17756bdfb306ef */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_encode, 0, 7, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, options, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, depth, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxDepth, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, hasTransformers, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, isInside, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, packer, IS_OBJECT, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, dictionary, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, reach, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, mayDeclare, _IS_BOOL, 0, "true")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_decode, 0, 11, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, buffer, IS_STRING, 0)
	ZEND_ARG_INFO(1, offset)
	ZEND_ARG_TYPE_INFO(0, options, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, ground, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxDepth, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxValues, IS_LONG, 1)
	ZEND_ARG_TYPE_INFO(0, maxBytes, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, comparisons, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, memory, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, extensions, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, unpacker, IS_OBJECT, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, dictionary, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_encode_message, 0, 1, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_decode_message, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, packed, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_scan, 0, 11, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, buffer, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, offset, IS_LONG, 0)
	ZEND_ARG_INFO(1, state)
	ZEND_ARG_INFO(1, weight)
	ZEND_ARG_TYPE_INFO(0, begins, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, maxDepth, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxBytes, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, records, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, dictionary, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, lossless, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, bigIntObjects, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_canonicalize, 0, 8, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, packed, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, options, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxDepth, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxValues, IS_LONG, 1)
	ZEND_ARG_TYPE_INFO(0, maxBytes, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, memory, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, foldsFloats, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, dictionary, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_snapshot_write, 0, 4, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, maxDepth, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxElements, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, floats, IS_LONG, 0)
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(1, answers, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_snapshot_read, 0, 5, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, maxDepth, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxElements, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxCollisions, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, declined, IS_OBJECT, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, allowed, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, aliases, IS_ARRAY, 1, "null")
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(1, missing, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_pack, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

#define arginfo_polypack_unpack arginfo_polypack_decode_message

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_serialize, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_unserialize, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_serialize_signed, 0, 2, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, key, Polypack\\Snapshot\\KeyRing, MAY_BE_STRING, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_unserialize_signed, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, key, Polypack\\Snapshot\\KeyRing, MAY_BE_STRING, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_polypack_stats, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(polypack_encode);
ZEND_FUNCTION(polypack_decode);
ZEND_FUNCTION(polypack_encode_message);
ZEND_FUNCTION(polypack_decode_message);
ZEND_FUNCTION(polypack_scan);
ZEND_FUNCTION(polypack_canonicalize);
ZEND_FUNCTION(polypack_snapshot_write);
ZEND_FUNCTION(polypack_snapshot_read);
ZEND_FUNCTION(polypack_pack);
ZEND_FUNCTION(polypack_unpack);
ZEND_FUNCTION(polypack_serialize);
ZEND_FUNCTION(polypack_unserialize);
ZEND_FUNCTION(polypack_serialize_signed);
ZEND_FUNCTION(polypack_unserialize_signed);
ZEND_FUNCTION(polypack_stats);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(polypack_encode, arginfo_polypack_encode)
	ZEND_FE(polypack_decode, arginfo_polypack_decode)
	ZEND_FE(polypack_encode_message, arginfo_polypack_encode_message)
	ZEND_FE(polypack_decode_message, arginfo_polypack_decode_message)
	ZEND_FE(polypack_scan, arginfo_polypack_scan)
	ZEND_FE(polypack_canonicalize, arginfo_polypack_canonicalize)
	ZEND_FE(polypack_snapshot_write, arginfo_polypack_snapshot_write)
	ZEND_FE(polypack_snapshot_read, arginfo_polypack_snapshot_read)
	ZEND_FE(polypack_pack, arginfo_polypack_pack)
	ZEND_FE(polypack_unpack, arginfo_polypack_unpack)
	ZEND_FE(polypack_serialize, arginfo_polypack_serialize)
	ZEND_FE(polypack_unserialize, arginfo_polypack_unserialize)
	ZEND_FE(polypack_serialize_signed, arginfo_polypack_serialize_signed)
	ZEND_FE(polypack_unserialize_signed, arginfo_polypack_unserialize_signed)
	ZEND_FE(polypack_stats, arginfo_polypack_stats)
	ZEND_FE_END
};

static void register_polypack_symbols(int module_number)
{

	zend_add_parameter_attribute(zend_hash_str_find_ptr(CG(function_table), "polypack_serialize_signed", sizeof("polypack_serialize_signed") - 1), 1, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(CG(function_table), "polypack_unserialize_signed", sizeof("polypack_unserialize_signed") - 1), 1, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);
}
