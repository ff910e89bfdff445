/*
 * Finds the end of a message whose bytes arrive in pieces (spec/06-limits.md#streams). php/src/Stream/Scanner.php is
 * the twin. Scanner.php calls polypack_scan(), and keeps the state between two calls as a string. At a possible fault,
 * or at an id that the dictionary lacks, polypack_scan() gives up. Scanner.php then scans the message from its start.
 */
#include "records/records.h"

/*
 * Holds how many fields records have, for ids of two bytes with the same first byte. The index is the second byte. An
 * entry is the number of fields plus 1, or 0 if no record has the id.
 */
typedef uint64_t polypack_scan_table[256];

/*
 * The state that a call of polypack_scan() leaves for the next call. Positions count from the start of the message.
 * After `ends` come the tables for the ids of two bytes that the message has declared.
 */
typedef struct {
	uint64_t room;     /* capacity of `ends`, in entries */
	uint64_t position; /* of the next head */
	uint64_t owed;     /* number of values still to be read, including the value at the position */
	uint64_t weight;   /* bytes of memory that the message takes, by estimate (spec/06-limits.md#memory) */
	uint64_t open;     /* number of open containers, each of which uses an entry of `ends` */
	uint64_t names;    /* number of names of the latest declaration that are still to be read */
	uint64_t declared; /* a bit for each byte from 40 to 7f, set if a declared id begins with it */
	uint64_t pairs;    /* a bit for each byte from 40 to 7f, set if its latest declaration has an id of two bytes */
	uint64_t tables;   /* how many tables are in use */
	uint8_t table[POLYPACK_LOWS];  /* by first byte of an id of two bytes: number of its table, from 1; 0 for none */
	uint64_t fields[POLYPACK_IDS]; /* for each id of one byte: how many fields its record has */
	uint64_t ends[1];              /* for each open container: how many values will be owed after it */
} polypack_scan_state;

#define HEADER_BYTES offsetof(polypack_scan_state, ends)
#define FIRST_ENDS 16

/*
 * Results of polypack_scan() other than the end of the message. INCOMPLETE means that more bytes are needed.
 * NEEDS_FRAMES means that Scanner.php has to scan the message.
 */
#define INCOMPLETE (-1)
#define NEEDS_FRAMES (-2)

typedef struct {
	const uint8_t *begin; /* where the message starts */
	size_t length;        /* how many bytes the buffer has from `begin` on */
	uint64_t max_depth;
	uint64_t max_bytes;
	uint8_t fixint_end;
	bool lossless;
	bool big_int_objects; /* whether ints above 2^63-1 become objects */
	const polypack_declarations *shared; /* the declarations of the dictionary; NULL for none */
} polypack_scan_limits;

/*
 * Returns the state that a variable holds as a string. Copies the string first if other variables share it. Makes a new
 * state if the variable has none.
 */
static polypack_scan_state *state_of(zval *holder)
{
	ZVAL_DEREF(holder);
	if (Z_TYPE_P(holder) != IS_STRING || Z_STRLEN_P(holder) < HEADER_BYTES + FIRST_ENDS * sizeof(uint64_t)) {
		zend_string *string = zend_string_alloc(HEADER_BYTES + FIRST_ENDS * sizeof(uint64_t), 0);
		zval_ptr_dtor(holder);
		ZVAL_NEW_STR(holder, string);
		memset(Z_STRVAL_P(holder), 0, Z_STRLEN_P(holder) + 1);
		polypack_scan_state *state = (polypack_scan_state *) Z_STRVAL_P(holder);
		state->room = FIRST_ENDS;
		state->owed = 1;
	} else {
		SEPARATE_STRING(holder);
	}
	return (polypack_scan_state *) Z_STRVAL_P(holder);
}

static void begin_message(polypack_scan_state *state)
{
	memset(&state->position, 0, offsetof(polypack_scan_state, fields) - offsetof(polypack_scan_state, position));
	state->owed = 1;
}

/* Returns how many 64-bit numbers the string has after the header, for `ends` and the tables. */
static size_t capacity_of(const zval *holder)
{
	ZVAL_DEREF(holder);
	return (Z_STRLEN_P(holder) - HEADER_BYTES) / sizeof(uint64_t);
}

/*
 * Tells whether the counts and the numbers of tables in the state fit the length of its string, and whether all ids of
 * two bytes begin with 60 or more.
 */
static bool is_sound(const polypack_scan_state *state, const zval *holder)
{
	size_t capacity = capacity_of(holder);
	if (state->room < FIRST_ENDS || state->room > capacity || state->open > state->room || state->tables > POLYPACK_LOWS
		|| state->tables * 256 > capacity - state->room || (state->pairs & UINT32_MAX) != 0) {
		return false;
	}
	for (uint32_t i = 0; i < POLYPACK_LOWS; i++) {
		if (state->table[i] > state->tables) {
			return false;
		}
	}
	return true;
}

static ZEND_COLD polypack_scan_state *extend(zval *holder, size_t numbers)
{
	ZVAL_DEREF(holder);
	size_t length = Z_STRLEN_P(holder) + numbers * sizeof(uint64_t);
	ZVAL_NEW_STR(holder, zend_string_realloc(Z_STR_P(holder), length, 0));
	Z_STRVAL_P(holder)[length] = '\0';
	return (polypack_scan_state *) Z_STRVAL_P(holder);
}

/* Doubles the capacity of `ends`, and moves the tables that follow `ends`. `room` is the old capacity. */
static ZEND_COLD polypack_scan_state *grow(zval *holder, size_t room)
{
	polypack_scan_state *state = extend(holder, room);
	memmove(state->ends + 2 * room, state->ends + room, state->tables * sizeof(polypack_scan_table));
	state->room = 2 * room;
	return state;
}

static polypack_scan_table *tables_of(polypack_scan_state *state)
{
	return (polypack_scan_table *) (state->ends + state->room);
}

/* Adds an empty table for the ids of two bytes that begin with POLYPACK_FIRST_LOW + low. */
static ZEND_COLD polypack_scan_state *add_table(polypack_scan_state *state, zval *holder, uint32_t low)
{
	if (state->room + (state->tables + 1) * 256 > capacity_of(holder)) {
		state = extend(holder, 256);
	}
	memset(tables_of(state) + state->tables, 0, sizeof(polypack_scan_table));
	state->table[low] = (uint8_t) ++state->tables;
	return state;
}

/*
 * Tells whether a value counts as POLYPACK_OBJECT_WEIGHT: an ext value, a bin in lossless mode, or an int above 2^63-1
 * if big_int_objects is set. The head must be one from c4 to d8. Also returns true for a declaration, which the caller
 * handles itself.
 */
static bool is_object(const polypack_scan_limits *limits, const uint8_t *head)
{
	bool is_ext = (*head >= POLYPACK_EXT8 && *head <= POLYPACK_EXT32) || (*head >= POLYPACK_FIXEXT1 && *head <= POLYPACK_FIXEXT16);
	bool is_bin = *head < POLYPACK_EXT8;
	bool is_big_int = *head == POLYPACK_UINT64 && head[1] > 0x7f;
	return is_ext || (is_bin && limits->lossless) || (is_big_int && limits->big_int_objects);
}

/*
 * Lengths in bytes of the heads c0 to df. They include a length or count, the type of an ext value, and all bytes of a
 * number.
 */
static const uint8_t HEAD_LENGTHS[32] = {1, 1, 1, 1, 2, 3, 5, 3, 4, 6, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 2, 2, 2, 2, 2, 2, 3, 5, 3, 5, 3, 5};

/* Returns the length of the body after a complete head from c0 to db. */
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

/* Returns the count in a complete head of an array 16, array 32, map 16 or map 32. */
static uint64_t count_in(const uint8_t *head)
{
	return HEAD_LENGTHS[*head - POLYPACK_NIL] == 3 ? polypack_read16(head + 1) : polypack_read32(head + 1);
}

static bool is_declaration(const polypack_scan_limits *limits, const uint8_t *head, uint64_t head_length, uint64_t body)
{
	return limits->fixint_end == POLYPACK_FIRST_ID && head[head_length - 1] == POLYPACK_EXT_RECORD && (body == 1 || body == 2);
}

/* Returns how many bytes of memory an array takes, by estimate (spec/06-limits.md#memory). */
static uint64_t array_weight(uint64_t count)
{
	return count > 0 ? POLYPACK_ARRAY_WEIGHT + POLYPACK_ELEMENT_WEIGHT * count : 0;
}

static uint64_t map_weight(const polypack_scan_limits *limits, uint64_t count)
{
	uint64_t entry = limits->lossless ? POLYPACK_ENTRY_WEIGHT + POLYPACK_PAIR_WEIGHT : POLYPACK_ENTRY_WEIGHT;
	return count > 0 ? POLYPACK_MAP_WEIGHT + entry * count : 0;
}

static void close_complete(polypack_scan_state *state)
{
	while (state->open > 0 && state->ends[state->open - 1] >= state->owed) {
		state->open--;
	}
}

/* Opens a container. Returns false if it is nested too deeply. */
static bool open_container(const polypack_scan_limits *limits, zval *holder, polypack_scan_state **state, uint64_t children, uint64_t weight)
{
	polypack_scan_state *now = *state;
	close_complete(now);
	if (now->open >= limits->max_depth) {
		return false;
	}
	now->owed--;
	if (UNEXPECTED(now->open >= now->room)) {
		*state = now = grow(holder, now->room);
	}
	now->ends[now->open++] = now->owed;
	now->owed += children;
	now->weight += weight;
	return true;
}

static bool open_children(const polypack_scan_limits *limits, zval *holder, polypack_scan_state **state, uint64_t count, bool is_map)
{
	return open_container(limits, holder, state, count << is_map, is_map ? map_weight(limits, count) : array_weight(count));
}

/* Sets `fields` to how many fields the record of an id of two bytes has. Returns false if there is no such record. */
static bool fields_of_pair(const polypack_scan_limits *limits, polypack_scan_state *state, const uint8_t *id, uint64_t *fields)
{
	uint32_t low = id[0] - POLYPACK_FIRST_LOW;
	uint64_t own = state->table[low] > 0 ? tables_of(state)[state->table[low] - 1][id[1]] : 0;
	if (own > 0) {
		*fields = own - 1;
		return true;
	}
	const polypack_pairs *pairs = limits->shared != NULL ? limits->shared->pairs[low] : NULL;
	if (pairs == NULL || pairs->high[id[1]] == NULL) {
		return false;
	}
	*fields = pairs->high[id[1]]->count;
	return true;
}

/*
 * Moves over the id of an instance, or over a positive fixint. Either begins with a byte from 40 to 7f. Returns the new
 * position, 0 if the id is cut off, or NEEDS_FRAMES.
 */
static int64_t next_instance(const polypack_scan_limits *limits, zval *holder, polypack_scan_state **state, uint64_t at)
{
	const uint8_t *head = limits->begin + at;
	uint32_t id = *head - POLYPACK_FIRST_ID;
	bool is_declared = (*state)->declared >> id & 1;
	if (!is_declared && limits->shared == NULL) {
		(*state)->owed--;
		return (int64_t) at + 1;
	}
	if (!is_declared && limits->shared->kind[id] == POLYPACK_UNDECLARED) {
		return NEEDS_FRAMES;
	}
	uint64_t fields;
	uint64_t length = 1;
	if (is_declared ? (*state)->pairs >> id & 1 : limits->shared->kind[id] == POLYPACK_PAIR) {
		if (limits->length - at < 2) {
			return 0;
		}
		length = 2;
		if (!fields_of_pair(limits, *state, head, &fields)) {
			return NEEDS_FRAMES;
		}
	} else {
		fields = is_declared ? (*state)->fields[id] : limits->shared->single[id]->count;
	}
	return open_container(limits, holder, state, fields, map_weight(limits, fields)) ? (int64_t) (at + length) : NEEDS_FRAMES;
}

/* Notes how many fields the record of an id has. The id has two bytes if `is_pair` is true, otherwise one. */
static polypack_scan_state *declare(polypack_scan_state *state, zval *holder, const uint8_t *id, bool is_pair, uint64_t fields)
{
	uint64_t bit = UINT64_C(1) << (id[0] - POLYPACK_FIRST_ID);
	if (is_pair) {
		uint32_t low = id[0] - POLYPACK_FIRST_LOW;
		if (state->table[low] == 0) {
			state = add_table(state, holder, low);
		}
		tables_of(state)[state->table[low] - 1][id[1]] = fields + 1;
		state->pairs |= bit;
	} else {
		state->fields[id[0] - POLYPACK_FIRST_ID] = fields;
		state->pairs &= ~bit;
	}
	state->declared |= bit;
	return state;
}

/*
 * Moves over a declaration, up to its first name. Returns the new position, 0 if its heads are cut off, or
 * NEEDS_FRAMES.
 */
static int64_t next_declaration(const polypack_scan_limits *limits, zval *holder, polypack_scan_state **state, uint64_t at)
{
	const uint8_t *head = limits->begin + at;
	bool is_pair = *head == POLYPACK_FIXEXT2;
	const uint8_t *id = head + 2;
	uint64_t length = is_pair ? 4 : 3;
	if (!is_pair && *head != POLYPACK_FIXEXT1) {
		return NEEDS_FRAMES;
	}
	if (length > limits->length - at) {
		return 0;
	}
	if (*id < (is_pair ? POLYPACK_FIRST_LOW : POLYPACK_FIRST_ID) || *id > POLYPACK_LAST_ID) {
		return NEEDS_FRAMES;
	}
	close_complete(*state);
	if ((*state)->open >= limits->max_depth || at + length + (*state)->owed > limits->max_bytes) {
		return NEEDS_FRAMES;
	}
	uint64_t left = limits->length - at - length;
	const uint8_t *names = head + length;
	if (left == 0) {
		return 0;
	}
	uint64_t count = *names & 0x0f;
	uint64_t names_length = 1;
	if ((*names & 0xf0) != POLYPACK_FIXARRAY) {
		if (*names != POLYPACK_ARRAY16 && *names != POLYPACK_ARRAY32) {
			return NEEDS_FRAMES;
		}
		names_length = HEAD_LENGTHS[*names - POLYPACK_NIL];
		if (names_length > left) {
			return 0;
		}
		count = count_in(names);
	}
	if (!open_container(limits, holder, state, 2 * count, array_weight(count) + map_weight(limits, count))) {
		return NEEDS_FRAMES;
	}
	*state = declare(*state, holder, id, is_pair, count);
	(*state)->names = count;
	return (int64_t) (at + length + names_length);
}

/*
 * Moves over the name of a field. Returns the new position, 0 if the head is cut off, or NEEDS_FRAMES if the name isn't
 * a str.
 */
static int64_t next_name(const polypack_scan_limits *limits, polypack_scan_state *state, uint64_t at)
{
	const uint8_t *head = limits->begin + at;
	uint64_t length = 1 + (*head & 0x1f);
	if ((*head & 0xe0) != POLYPACK_FIXSTR) {
		if (*head < POLYPACK_STR8 || *head > POLYPACK_STR32) {
			return NEEDS_FRAMES;
		}
		length = HEAD_LENGTHS[*head - POLYPACK_NIL];
		if (length > limits->length - at) {
			return 0;
		}
		length += body_length(head);
	}
	state->names--;
	state->owed--;
	return (int64_t) (at + length);
}

/*
 * Moves over the next value, or over the head of a container. Returns the new position, which may be after the end of
 * the buffer. Returns 0 if the head is cut off. May also return NEEDS_FRAMES.
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
			return next_instance(limits, holder, state, at);
		}
		bool is_map = *head < POLYPACK_FIXARRAY;
		return open_children(limits, holder, state, *head & 0x0f, is_map) ? (int64_t) at + 1 : NEEDS_FRAMES;
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
		return open_children(limits, holder, state, count_in(head), is_map) ? (int64_t) (at + head_length) : NEEDS_FRAMES;
	}
	uint64_t body = body_length(head);
	if (*head < POLYPACK_STR8 && is_object(limits, head)) {
		if (is_declaration(limits, head, head_length, body)) {
			return next_declaration(limits, holder, state, at);
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
		int64_t next = EXPECTED((*state)->names == 0) ? next_position(limits, holder, state, at) : next_name(limits, *state, at);
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
	zend_string *buffer, *content;
	zval *holder, *weight;
	zend_long offset, max_depth, max_bytes;
	bool begins, records, lossless, big_int_objects;

	ZEND_PARSE_PARAMETERS_START(11, 11)
		Z_PARAM_STR(buffer)
		Z_PARAM_LONG(offset)
		Z_PARAM_ZVAL(holder)
		Z_PARAM_ZVAL(weight)
		Z_PARAM_BOOL(begins)
		Z_PARAM_LONG(max_depth)
		Z_PARAM_LONG(max_bytes)
		Z_PARAM_BOOL(records)
		Z_PARAM_STR_OR_NULL(content)
		Z_PARAM_BOOL(lossless)
		Z_PARAM_BOOL(big_int_objects)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(offset < 0) || UNEXPECTED((size_t) offset > ZSTR_LEN(buffer))) {
		zend_argument_value_error(2, "must be an offset in the buffer");
		RETURN_THROWS();
	}
	polypack_scan_state *state = state_of(holder);
	if (begins) {
		begin_message(state);
	}
	if (UNEXPECTED(!is_sound(state, holder))) {
		zend_argument_value_error(3, "must be what an earlier call has left");
		RETURN_THROWS();
	}
	polypack_dictionary *dictionary = content != NULL ? polypack_dictionary_of(content) : NULL;
	if (UNEXPECTED(content != NULL && dictionary == NULL)) {
		POLYPACK_COUNT(POLYPACK_SCAN_DECLINED);
		RETURN_LONG(NEEDS_FRAMES);
	}
	polypack_scan_limits limits = {
		.begin = (const uint8_t *) ZSTR_VAL(buffer) + offset,
		.length = ZSTR_LEN(buffer) - (size_t) offset,
		.max_depth = max_depth > 0 ? (uint64_t) max_depth : 0,
		.max_bytes = max_bytes > 0 ? (uint64_t) max_bytes : 0,
		.fixint_end = records ? POLYPACK_FIRST_ID : POLYPACK_FIXMAP,
		.lossless = lossless,
		.big_int_objects = lossless || big_int_objects,
		.shared = dictionary != NULL ? &dictionary->declared : NULL,
	};
	zend_long end = scan(&limits, holder, &state);
	if (dictionary != NULL) {
		polypack_release_dictionary(dictionary);
	}
	if (end != INCOMPLETE) {
		POLYPACK_COUNT(UNEXPECTED(end == NEEDS_FRAMES) ? POLYPACK_SCAN_DECLINED : POLYPACK_SCANNED);
	}
	ZEND_TRY_ASSIGN_REF_LONG(weight, (zend_long) state->weight);
	RETURN_LONG(end);
}
