// Ours for JavaScript, where strings can't become code.
import { NO_EVAL } from '../node-hosts.mjs';
import { SELECTION } from '../node-scenarios.mjs';

export { make } from './polypack.mjs';

export const about = {
  name: 'Polypack (JS), no eval',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'polypack',
  flags: NO_EVAL,
  note: 'in a Node that makes no code of strings',
};
