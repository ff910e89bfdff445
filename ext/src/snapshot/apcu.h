/* Offers snapshots as a serializer of APCu: apc.serializer=polypack. */
#ifndef POLYPACK_SNAPSHOT_APCU_H
#define POLYPACK_SNAPSHOT_APCU_H

/* Registers the serializer if the extension APCu is loaded. */
void polypack_apcu_startup(void);

#endif
