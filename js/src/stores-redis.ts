// The door polypack/stores/redis: shared structures under a key of Redis.

export * from './stores/redis.ts';
