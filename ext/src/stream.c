/*
 * Finds the end of a message whose bytes arrive in pieces (spec/06-limits.md#streams). Stream/Scanner.php of the
 * library is the twin. It calls polypack_scan(), and keeps the state between two calls, as a string. Where a record or
 * a fault may begin, polypack_scan() stops, and the PHP code goes on by itself.
 */
#include "decoder.h"

/* The state that a call leaves for the next one. Positions count from the start of the message. */
typedef struct {
	uint64_t position; /* of the next head */
	uint64_t owed;     /* values still to be read, including the one at the position */
	uint64_t weight;   /* what the message takes, by estimate (spec/06-limits.md#memory) */
	uint64_t open;     /* how many of `ends` are in use: the open containers */
	uint64_t ends[1];  /* for each open container: what will be owed after it */
} polypack_scan_state;

#define HEADER_BYTES offsetof(polypack_scan_state, ends)
#define FIRST_ENDS 16

/* What polypack_scan() returns instead of the end: more bytes are needed, or PHP's Scanner has to go on. */
#define INCOMPLETE (-1)
#define NEEDS_FRAMES (-2)

typedef struct {
	const uint8_t *begin; /* where the message starts */
	size_t length;        /* how many bytes of it have arrived */
	uint64_t max_depth;
	uint64_t max_bytes;
	uint8_t fixint_end;
	bool lossless;
} polypack_scan_limits;

/*
 * Returns the state in the variable's string. Copies the string first if something else uses it, too. Makes a new state
 * if there is none.
 */
static polypack_scan_state *state_of(zval *holder)
{
	ZVAL_DEREF(holder);
	if (Z_TYPE_P(holder) != IS_STRING || Z_STRLEN_P(holder) < HEADER_BYTES + FIRST_ENDS * sizeof(uint64_t)) {
		zend_string *string = zend_string_alloc(HEADER_BYTES + FIRST_ENDS * sizeof(uint64_t), 0);
		zval_ptr_dtor(holder);
		ZVAL_NEW_STR(holder, string);
		memset(Z_STRVAL_P(holder), 0, Z_STRLEN_P(holder) + 1);
		((polypack_scan_state *) Z_STRVAL_P(holder))->owed = 1;
	} else {
		SEPARATE_STRING(holder);
	}
	return (polypack_scan_state *) Z_STRVAL_P(holder);
}

static size_t capacity_of(const zval *holder)
{
	ZVAL_DEREF(holder);
	return (Z_STRLEN_P(holder) - HEADER_BYTES) / sizeof(uint64_t);
}

static ZEND_COLD polypack_scan_state *grow(zval *holder)
{
	ZVAL_DEREF(holder);
	size_t length = HEADER_BYTES + 2 * capacity_of(holder) * sizeof(uint64_t);
	ZVAL_NEW_STR(holder, zend_string_realloc(Z_STR_P(holder), length, 0));
	Z_STRVAL_P(holder)[length] = '\0';
	return (polypack_scan_state *) Z_STRVAL_P(holder);
}

/* Tells whether the decoder makes an object of a bin, an ext value or a number; if so, its memory is counted. */
static bool is_object(const polypack_scan_limits *limits, const uint8_t *head)
{
	bool is_ext = (*head >= POLYPACK_EXT8 && *head <= POLYPACK_EXT32) || (*head >= POLYPACK_FIXEXT1 && *head <= POLYPACK_FIXEXT16);
	return is_ext || (limits->lossless && (*head < POLYPACK_EXT8 || (*head == POLYPACK_UINT64 && head[1] > 0x7f)));
}

/* The lengths of the heads c0 to df, including length or count, the type of an ext value, and numbers. */
static const uint8_t HEAD_LENGTHS[32] = {1, 1, 1, 1, 2, 3, 5, 3, 4, 6, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 2, 2, 2, 2, 2, 2, 3, 5, 3, 5, 3, 5};

/* Returns the length of the body behind a complete head c0 to df. */
static uint64_t body_length(const uint8_t *head)
{
	switch (*head) {
		case POLYPACK_BIN8:
		case POLYPACK_EXT8:
		case POLYPACK_STR8:
			return head[1];
		case POLYPACK_BIN16:
		case POLYPACK_EXT16:
		case POLYPACK_STR16:
			return polypack_read16(head + 1);
		case POLYPACK_BIN32:
		case POLYPACK_EXT32:
		case POLYPACK_STR32:
			return polypack_read32(head + 1);
		default:
			return *head >= POLYPACK_FIXEXT1 && *head <= POLYPACK_FIXEXT16 ? UINT64_C(1) << (*head - POLYPACK_FIXEXT1) : 0;
	}
}

static bool may_be_declaration(const polypack_scan_limits *limits, const uint8_t *head, uint64_t head_length, uint64_t body)
{
	return limits->fixint_end == POLYPACK_FIRST_ID && head[head_length - 1] == POLYPACK_EXT_RECORD && (body == 1 || body == 2);
}

/* Opens a container. Returns false if it is nested too deeply. */
static bool open_container(const polypack_scan_limits *limits, zval *holder, polypack_scan_state **state, uint64_t children, bool is_map)
{
	polypack_scan_state *now = *state;
	now->owed--;
	while (now->open > 0 && now->ends[now->open - 1] > now->owed) {
		now->open--;
	}
	if (now->open >= limits->max_depth) {
		return false;
	}
	if (UNEXPECTED(now->open >= capacity_of(holder))) {
		*state = now = grow(holder);
	}
	now->ends[now->open++] = now->owed;
	now->owed += children;
	if (children > 0) {
		uint64_t child = limits->lossless ? (POLYPACK_ENTRY_WEIGHT + POLYPACK_PAIR_WEIGHT) / 2 : POLYPACK_ENTRY_WEIGHT / 2;
		now->weight += is_map ? POLYPACK_MAP_WEIGHT + child * children : POLYPACK_ARRAY_WEIGHT + POLYPACK_ELEMENT_WEIGHT * children;
	}
	return true;
}

/*
 * Moves over the next value, or the head of a container. Returns the new position; 0 if the head is cut off; or
 * NEEDS_FRAMES.
 */
static zend_always_inline int64_t next_position(const polypack_scan_limits *limits, zval *holder, polypack_scan_state **state, uint64_t at)
{
	const uint8_t *head = limits->begin + at;
	uint64_t left = limits->length - at;
	if (*head < limits->fixint_end || *head >= POLYPACK_NEGATIVE_FIXINT || *head == POLYPACK_NIL || *head == POLYPACK_FALSE
		|| *head == POLYPACK_TRUE) {
		(*state)->owed--;
		return (int64_t) at + 1;
	}
	if ((*head & 0xe0) == POLYPACK_FIXSTR) {
		(*state)->owed--;
		return (int64_t) (at + 1 + (*head & 0x1f));
	}
	if (*head < POLYPACK_FIXSTR) {
		if (*head < POLYPACK_FIXMAP) {
			return NEEDS_FRAMES; /* it may be an instance of a record */
		}
		bool is_map = *head < POLYPACK_FIXARRAY;
		return open_container(limits, holder, state, (uint64_t) (*head & 0x0f) << is_map, is_map) ? (int64_t) at + 1 : NEEDS_FRAMES;
	}
	if (*head == POLYPACK_RESERVED) {
		return NEEDS_FRAMES;
	}
	uint64_t head_length = HEAD_LENGTHS[*head - POLYPACK_NIL];
	if (head_length > left) {
		return 0;
	}
	if (*head >= POLYPACK_ARRAY16) {
		bool is_map = *head >= POLYPACK_MAP16;
		uint64_t count = head_length == 3 ? polypack_read16(head + 1) : polypack_read32(head + 1);
		return open_container(limits, holder, state, count << is_map, is_map) ? (int64_t) (at + head_length) : NEEDS_FRAMES;
	}
	uint64_t body = body_length(head);
	if (*head < POLYPACK_STR8 && is_object(limits, head)) {
		if (may_be_declaration(limits, head, head_length, body)) {
			return NEEDS_FRAMES;
		}
		(*state)->weight += POLYPACK_OBJECT_WEIGHT;
	}
	(*state)->owed--;
	return (int64_t) (at + head_length + body);
}

static zend_long scan(const polypack_scan_limits *limits, zval *holder, polypack_scan_state **state)
{
	uint64_t at = (*state)->position;
	while ((*state)->owed > 0 && at < limits->length) {
		int64_t next = next_position(limits, holder, state, at);
		if (UNEXPECTED(next <= 0)) {
			if (next < 0) {
				return NEEDS_FRAMES;
			}
			break;
		}
		at = (uint64_t) next;
		if (UNEXPECTED(at + (*state)->owed > limits->max_bytes)) {
			return NEEDS_FRAMES;
		}
	}
	(*state)->position = at;
	return (*state)->owed == 0 && at <= limits->length ? (zend_long) at : INCOMPLETE;
}

PHP_FUNCTION(polypack_scan)
{
	zend_string *buffer;
	zval *holder, *weight;
	zend_long offset, max_depth, max_bytes;
	bool begins, records, lossless;

	ZEND_PARSE_PARAMETERS_START(9, 9)
		Z_PARAM_STR(buffer)
		Z_PARAM_LONG(offset)
		Z_PARAM_ZVAL(holder)
		Z_PARAM_ZVAL(weight)
		Z_PARAM_BOOL(begins)
		Z_PARAM_LONG(max_depth)
		Z_PARAM_LONG(max_bytes)
		Z_PARAM_BOOL(records)
		Z_PARAM_BOOL(lossless)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(offset < 0) || UNEXPECTED((size_t) offset > ZSTR_LEN(buffer))) {
		zend_argument_value_error(2, "must be an offset in the buffer");
		RETURN_THROWS();
	}
	polypack_scan_state *state = state_of(holder);
	if (begins) {
		memset(state, 0, HEADER_BYTES);
		state->owed = 1;
	} else if (UNEXPECTED(state->open > capacity_of(holder))) {
		zend_argument_value_error(3, "must be what an earlier call has left");
		RETURN_THROWS();
	}
	polypack_scan_limits limits = {
		.begin = (const uint8_t *) ZSTR_VAL(buffer) + offset,
		.length = ZSTR_LEN(buffer) - (size_t) offset,
		.max_depth = max_depth > 0 ? (uint64_t) max_depth : 0,
		.max_bytes = max_bytes > 0 ? (uint64_t) max_bytes : 0,
		.fixint_end = records ? POLYPACK_FIRST_ID : POLYPACK_FIXMAP,
		.lossless = lossless,
	};
	zend_long end = scan(&limits, holder, &state);
	ZEND_TRY_ASSIGN_REF_LONG(weight, (zend_long) state->weight);
	RETURN_LONG(end);
}
