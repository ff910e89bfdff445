/* Reads and writes timestamps, and reads PHP's date objects, which C packs as timestamps. */
#include "../php_polypack.h"
#include "timestamp.h"
#include "writer.h"
#include "ext/date/php_date.h"

bool polypack_split_timestamp(const uint8_t *data, size_t length, zend_long *seconds, zend_long *nanoseconds)
{
	uint64_t bits;
	switch (length) {
		case 4:
			*seconds = polypack_read32(data);
			*nanoseconds = 0;
			return true;
		case 8:
			bits = polypack_read64(data);
			*seconds = (zend_long) (bits & UINT64_C(0x3ffffffff));
			*nanoseconds = (zend_long) (bits >> 34);
			break;
		case 12:
			*nanoseconds = polypack_read32(data);
			*seconds = (zend_long) polypack_read64(data + 4);
			break;
		default:
			return false;
	}
	return *nanoseconds <= POLYPACK_MAX_NANOSECONDS;
}

char *polypack_write_timestamp(char *p, zend_long seconds, zend_long nanoseconds)
{
	uint64_t bits = (uint64_t) seconds;
	if (bits >> 34 != 0) {
		p = polypack_write_ext(p, POLYPACK_EXT_TIMESTAMP, 12);
		p = polypack_put32(p, (uint32_t) nanoseconds);
		return polypack_put64(p, bits);
	}
	if (nanoseconds == 0 && bits <= UINT32_MAX) {
		p = polypack_write_ext(p, POLYPACK_EXT_TIMESTAMP, 4);
		return polypack_put32(p, (uint32_t) bits);
	}
	p = polypack_write_ext(p, POLYPACK_EXT_TIMESTAMP, 8);
	return polypack_put64(p, (uint64_t) nanoseconds << 34 | bits);
}

bool polypack_read_date(zend_object *object, zend_long *seconds, zend_long *nanoseconds)
{
	if (object->ce != php_date_get_immutable_ce() && object->ce != php_date_get_date_ce()) {
		return false;
	}
	const timelib_time *time = php_date_obj_from_obj(object)->time;
	if (time == NULL || !time->sse_uptodate || time->us < 0 || time->us > 999999) {
		return false;
	}
	*seconds = (zend_long) time->sse;
	*nanoseconds = (zend_long) time->us * 1000;
	return true;
}
