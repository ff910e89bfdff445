// The entry point polypack/snapshot: reads snapshots of PHP as data.

export { PolypackError } from './index.ts';
export type { SignedOptions, SnapshotKeys } from './snapshot/envelope.ts';
export type { SnapshotLimits, SnapshotOptions } from './snapshot/options.ts';
export { unserialize, unserializeSigned } from './snapshot/unserialize.ts';
export { PhpCase, PhpObject, type PhpText } from './snapshot/values.ts';
