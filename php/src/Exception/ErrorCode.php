<?php

declare(strict_types=1);

namespace Polypack\Exception;

/**
 * The codes of spec/07-errors.md. They are the same in every language, and their meaning never changes.
 *
 * @api
 */
enum ErrorCode: string
{
    case UnexpectedEnd = 'unexpected_end';
    case TrailingData = 'trailing_data';
    case ReservedByte = 'reserved_byte';
    case InvalidUtf8 = 'invalid_utf8';
    case InvalidKey = 'invalid_key';
    case DuplicateKey = 'duplicate_key';
    case LimitExceeded = 'limit_exceeded';
    case OutOfRange = 'out_of_range';
    case InvalidTimestamp = 'invalid_timestamp';
    case UnknownRecord = 'unknown_record';
    case InvalidRecord = 'invalid_record';
    case UnsupportedValue = 'unsupported_value';
    case TypeMismatch = 'type_mismatch';
    case InvalidSignature = 'invalid_signature';
    case ClassNotAllowed = 'class_not_allowed';
    case ClassNotFound = 'class_not_found';
    case ClassMismatch = 'class_mismatch';
    case InvalidSnapshot = 'invalid_snapshot';
}
