/* Lets PHP store sessions as snapshots: session.serialize_handler=polypack. */
#ifndef POLYPACK_SNAPSHOT_SESSION_H
#define POLYPACK_SNAPSHOT_SESSION_H

#include "../compat.h"

/* Registers the handler if PHP has the session extension. */
void polypack_session_startup(void);

/* Tells whether this value of polypack.session_on_failure means that broken sessions are destroyed. */
static inline bool polypack_session_destroys(const char *value)
{
	return strcasecmp(value, "destroy") == 0 || strcasecmp(value, "delete") == 0;
}

/*
 * If session.auto_start has opened a session that could not be decoded, closes it without saving. Then session_start()
 * works in the script.
 */
void polypack_session_begin(void);

/*
 * Saves a session of this handler that is still open at the end of a request, while the extension can still encode it.
 * Then frees the bytes that session.c has kept.
 */
void polypack_session_end(void);

#endif
