// msgpackr with its addon, where strings can't become code, of which it else makes readers of records.
import { NO_EVAL } from '../node-hosts.mjs';
import { SELECTION } from '../node-scenarios.mjs';

export { make } from './msgpackr.mjs';

export const about = {
  name: 'msgpackr, no eval',
  format: 'msgpack',
  scenarios: SELECTION,
  kind: 'realistic',
  package: 'msgpackr',
  flags: NO_EVAL,
  note: 'with its addon in C; in a Node that makes no code of strings',
};
