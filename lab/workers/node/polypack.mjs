// Ours for JavaScript: plain MessagePack.
export const about = {
  name: 'Polypack (JS)',
  format: 'msgpack',
  scenarios: ['person', 'order', 'rows', 'countries'],
  kind: 'realistic',
  package: 'polypack',
  note: 'dates stay text',
};

export async function make() {
  const { pack, unpack } = await import('polypack');
  return { serialize: pack, deserialize: unpack };
}
