// msgpackr with its addon: plain MessagePack, as ours.
export const about = {
  name: 'msgpackr',
  format: 'msgpack',
  scenarios: ['person', 'order', 'rows', 'countries'],
  kind: 'realistic',
  package: 'msgpackr',
  note: 'with its addon in C; dates stay text',
};

export async function make() {
  const { pack, unpack } = await import('msgpackr');
  return { serialize: pack, deserialize: unpack };
}
