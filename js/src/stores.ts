// The entry point polypack/stores: shared structures in a store that several processes write to.

export * from './stores/shared.ts';
export { MemoryStore, type StructureStore } from './stores/store.ts';
