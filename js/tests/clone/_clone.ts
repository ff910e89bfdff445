// What the tests of structured cloning share: codecs, an object that contains itself, and a registered class.

import { Packr } from 'polypack';

export const packr = new Packr({ structuredClone: true, regExps: true });
export const plain = new Packr({ structuredClone: true, regExps: true, records: 'off' });

export function cloned<T>(value: T, by = packr): T {
  return by.unpack<T>(by.pack(value));
}

export interface Ring {
  readonly name: string;
  self?: unknown;
}

export function ring(): Ring {
  const object: Ring = { name: 'o' };
  object.self = object;
  return object;
}

export class Tree {
  parent: Tree | null = null;
  readonly children: Tree[] = [];
}

export const tree = {
  Class: Tree,
  type: 20,
  write: ({ parent, children }: Tree) => [parent, children],
  create: () => new Tree(),
  read(value: unknown, instance = new Tree()) {
    const [parent, children] = value as [Tree | null, Tree[]];
    instance.parent = parent;
    instance.children.push(...children);
    return instance;
  },
};
