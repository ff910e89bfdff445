// The entry point polypack/stores/file: shared structures in a file.

export * from './stores/file.ts';
