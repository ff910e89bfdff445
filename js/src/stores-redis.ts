// The entry point polypack/stores/redis: shared structures in a Redis key.

export * from './stores/redis.ts';
