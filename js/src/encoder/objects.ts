// Writes plain objects as maps or records (spec/05). Stores their names to write them faster the next time
// (key-trie.ts).
//
// Plan: ObjectEncoder: maps · records.
//
// Encoder calls `usualMap` and `usualRecord` only if no option affects the properties (`isUsual` in encoder.ts).

import { changedObjectFault, faultAt } from '../core/encode-faults.ts';
import { prototypeFault } from '../core/faults.ts';
import { FIXEXT1, FIXEXT2, FIXMAP, MAP16, RECORD_TYPE } from '../core/format.ts';
import { strBytes } from '../core/text.ts';
import type { Settings } from '../options/settings.ts';
import type { Dictionary, ShapeNode } from '../records/dictionary.ts';
import { ShapeTable } from '../records/records.ts';
import { FloatEncoder } from './floats.ts';
import { type KeyNode, KeyTrie, type Leaf } from './key-trie.ts';

const NO_NODES: readonly KeyNode[] = [];

/** The str `__proto__`, with a head of any length, because a Raw may have a longer one than needed. */
export const PROTO = /^(\xa9|\xd9\t|\xda\0\t|\xdb\0\0\0\t)__proto__$/;
const MOST_IN_PROTO = 14;
const UNDERSCORE = 0x5f;

export abstract class ObjectEncoder extends FloatEncoder {
  abstract value(value: unknown, replacements?: number): void;
  protected abstract object(value: object, replacements: number): void;
  /** Writes an object as a map, step by step. */
  protected abstract properties(object: Record<string, unknown>, names: readonly string[]): void;

  protected readonly shapes: ShapeTable | null;
  protected readonly keys = new KeyTrie();
  /** Length of the shortest head that the settings allow for an object written as a map: 1 or 3 bytes. */
  private readonly leastHead: number;

  constructor(settings: Settings, mayShare: boolean) {
    super(settings, mayShare);
    this.leastHead = settings.variableMapSize ? 1 : 3;
    const isSequential = settings.sequential && !settings.references && !settings.bundleStrings;
    this.shapes = settings.inline ? new ShapeTable(settings.shared, settings.maxOwnStructures, isSequential) : null;
  }

  /** The dictionary that the latest complete message relies on; null if records aren't shared. */
  get dictionary(): Dictionary | null {
    return this.shapes?.relied ?? null;
  }

  /** In strict mode, refuses the key or name `__proto__`, because strict readers refuse it. */
  protected checkKey(key: unknown): void {
    if (key === '__proto__' && this.settings.mode === 'strict') throw prototypeFault(null);
  }

  /** Writes a key of a Map. In strict mode, refuses `__proto__`, also if `toJSON` (for example) returns it. */
  protected key(key: unknown): void {
    if ((typeof key === 'object' || typeof key === 'function') && this.settings.mode === 'strict') {
      const begin = this.length;
      this.value(key);
      this.#checkWritten(begin);
    } else {
      this.checkKey(key);
      this.value(key);
    }
  }

  /** Refuses the str `__proto__` if it was written after the first `begin` bytes of the message. */
  #checkWritten(begin: number): void {
    const { bytes, offset } = this;
    if (bytes[offset - 1] !== UNDERSCORE || this.length - begin > MOST_IN_PROTO) return;
    const written = bytes.subarray(this.start + begin, offset);
    if (PROTO.test(String.fromCharCode(...written))) throw prototypeFault(null);
  }

  /**
   * Writes an object as a map, usually in one pass. Reserves bytes for the head first and writes the head last, because
   * the number of names is known only at the end. If the first name has no node in the trie, `properties` writes the
   * map.
   */
  protected usualMap(object: Record<string, unknown>): void {
    const begin = this.offset - this.start;
    let node: KeyNode | null = this.keys.root;
    let first: KeyNode | null = null;
    let headLength = this.leastHead;
    let count = 0;
    let token: string | null = null;
    try {
      for (const name in object) {
        // biome-ignore lint/suspicious/noPrototypeBuiltins: engines leave out the call only if it is written so
        if (!Object.prototype.hasOwnProperty.call(object, name)) continue;
        if (node !== null) node = node.nextName === name ? node.nextNode : this.keys.step(node, name, strBytes);
        if (count === 0) {
          if (node === null) {
            count = -1;
            break;
          }
          first = node;
          if (node.headLength > headLength) headLength = node.headLength;
          this.ensure(headLength);
          this.offset += headLength;
        }
        count++;
        if (node !== null && node.length > 0) this.storedStr(node);
        else {
          token = null;
          this.checkKey(name);
          this.str(name);
        }
        token = name;
        const value = object[name];
        if (typeof value === 'string') this.str(value);
        else if (typeof value === 'number') this.number(value);
        else if (typeof value === 'object' && value !== null) this.object(value, 0);
        else this.value(value);
      }
    } catch (error) {
      throw faultAt(error, token);
    }
    if (count === -1) this.properties(object, Object.keys(object));
    else if (first === null) {
      if (this.leastHead === 1) this.byte(FIXMAP);
      else this.head16(MAP16, 0);
    } else if (headLength === 1 && count < 16) this.bytes[this.start + begin] = FIXMAP | count;
    else first.headLength = this.putMapHead(begin, headLength, count, this.leastHead);
  }

  // --- records (spec/05) ---------------------------------------------------------------------------------------------

  protected usualRecord(shapes: ShapeTable, object: Record<string, unknown>): void {
    let node: KeyNode | null = this.keys.root;
    for (const name in object) {
      // biome-ignore lint/suspicious/noPrototypeBuiltins: engines leave out the call only when it is written like this
      if (!Object.prototype.hasOwnProperty.call(object, name)) continue;
      node = node.nextName === name ? node.nextNode : this.keys.step(node, name, strBytes);
      if (node === null) break;
    }
    if (node === null) {
      this.record(shapes, object, Object.keys(object));
      return;
    }
    const { leaf } = node;
    const { names, shape, nodes } =
      leaf !== null && leaf.era === shapes.era ? leaf : this.#newLeaf(node, shapes, leaf?.names ?? Object.keys(object));
    const id = shapes.idOf(shape);
    if (id === 0) {
      if (!this.newRecord(shapes, shape, object, names, nodes)) return;
    } else if (id > 0xff) this.recordId(id);
    else this.byte(id);
    let index = 0;
    let token = '';
    try {
      for (const name in object) {
        // biome-ignore lint/suspicious/noPrototypeBuiltins: engines leave out the call only if it is written so
        if (!Object.prototype.hasOwnProperty.call(object, name)) continue;
        token = name;
        // Encoding a value may call code of the user, which may change the object.
        if (name !== names[index]) throw changedObjectFault();
        index++;
        const value = object[name];
        if (typeof value === 'string') this.str(value);
        else if (typeof value === 'number') this.number(value);
        else this.value(value);
      }
      if (index !== names.length) throw changedObjectFault();
    } catch (error) {
      throw faultAt(error, token);
    }
  }

  protected record(shapes: ShapeTable, object: Record<string, unknown>, names: readonly string[]): void {
    names.forEach(this.checkKey, this);
    const shape = shapes.shapeOf(names);
    const id = shapes.idOf(shape);
    if (id !== 0) this.recordId(id);
    else if (!this.newRecord(shapes, shape, object, names, NO_NODES)) return;
    let token = '';
    try {
      for (const name of names) {
        token = name;
        this.value(object[name]);
      }
    } catch (error) {
      throw faultAt(error, token);
    }
  }

  /**
   * Gives a shape an id and writes the id, with a declaration if needed. If there is no id for the shape, writes the
   * object as a map and returns false.
   */
  private newRecord(
    shapes: ShapeTable,
    shape: ShapeNode,
    object: Record<string, unknown>,
    names: readonly string[],
    nodes: readonly KeyNode[],
  ): boolean {
    const minted = shapes.mint(shape, names);
    if (minted !== 0) {
      this.recordId(minted);
      return true;
    }
    const id = shapes.declare(shape);
    if (id !== 0) this.declaration(id, names, nodes);
    else this.properties(object, names);
    return id !== 0;
  }

  /** Writes the id of a record: as one byte, or if it is above ff, as two bytes with the high byte first. */
  private recordId(id: number): void {
    if (id > 0xff) this.byte(id >> 8);
    this.byte(id & 0xff);
  }

  /** @param nodes the trie nodes of the first names, to copy their bytes; may be empty */
  private declaration(id: number, names: readonly string[], nodes: readonly KeyNode[]): void {
    this.byte(id > 0xff ? FIXEXT2 : FIXEXT1);
    this.byte(RECORD_TYPE);
    this.recordId(id);
    this.arrayHead(names.length);
    for (let index = 0; index < names.length; index++) {
      const node = nodes[index];
      if (node !== undefined && node.length > 0) this.storedStr(node);
      else this.str(names[index] as string);
    }
  }

  #newLeaf(node: KeyNode, shapes: ShapeTable, names: readonly string[]): Leaf {
    const { era } = shapes;
    node.leaf = { names, nodes: this.keys.path(names, strBytes), shape: shapes.shapeOf(names), era };
    return node.leaf;
  }
}
