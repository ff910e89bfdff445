/* The serializer `polypack` of apc.serializer. */
#ifndef POLYPACK_SNAPSHOT_APCU_H
#define POLYPACK_SNAPSHOT_APCU_H

/* Registers the serializer, if the extension APCu is there. */
void polypack_apcu_startup(void);

#endif
