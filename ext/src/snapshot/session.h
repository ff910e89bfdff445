/* Lets PHP store sessions as snapshots: session.serialize_handler=polypack. */
#ifndef POLYPACK_SNAPSHOT_SESSION_H
#define POLYPACK_SNAPSHOT_SESSION_H

/* Registers the handler if PHP has the session extension. */
void polypack_session_startup(void);

/*
 * Closes a session that session.auto_start has opened, if it could not be decoded, so that session_start() works in the
 * script.
 */
void polypack_session_begin(void);

/*
 * Saves a session of this handler that is still open at the end of a request, while the extension can still encode it.
 * Then frees the bytes that session.c has kept.
 */
void polypack_session_end(void);

#endif
