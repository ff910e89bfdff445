// The scanner walks over a message head by head without making values. It can stop at any byte and resume later. It can
// tell the path of the value that it has reached.
//
// Plan: Frame · Scanner: run, skim, step · containers · records · paths.
//
// Streams use the scanner to find where messages end, and to report faults that a head alone shows (spec/06#streams).
// The code for bundled strings (envelope/) uses the scanner to walk over messages. After a fault, the decoder uses a
// scanner to find the path, so paths cost nothing until something fails.

import { hexByte } from '../core/errors.ts';
import {
  bytesFault,
  depthFault,
  nameKindFault,
  namesKindFault,
  recordIdFault,
  reservedFault,
  unknownRecordFault,
} from '../core/faults.ts';
import {
  FIXARRAY,
  FIXEXT1,
  FIXEXT2,
  FIXMAP,
  FIXSTR,
  isArrayHead,
  RECORD_TYPE,
  STR8,
  STR32,
  UNLIMITED,
} from '../core/format.ts';
import { PathText } from '../core/path.ts';
import type { Dictionary, Shape } from '../records/dictionary.ts';
import { isRecordId, type RecordIds, RecordTable } from '../records/records.ts';
import type { SharedRecords } from '../records/shared.ts';
import { ARRAY_HEAD, EXT_HEAD, Head, isId, MAP_HEAD, plainLength, RESERVED_HEAD, readHead } from './head.ts';
import { keyTokenAt, nameTokenAt } from './path-tokens.ts';

/** The kinds of frames, by what their children are. */
const ARRAY = 0;
const MAP = 1;
/** The values of a record. `Frame.count` is −1 until the head of the record's array of names has been read. */
const RECORD = 2;
/** The names of the record in the outer frame. */
const NAMES = 3;
/** The message, the outermost frame. */
const MESSAGE = 4;

/** Only containers with at most this many heads, including their own, are skipped without being opened. */
const SMALL = 32;

/** An open container, or the message. Frames are reused, because a message may open thousands of containers. */
class Frame {
  kind = ARRAY;
  count = 0;
  /** The offset of the container's head. */
  start = 0;
  /** How many children are complete. */
  index = 0;
  /**
   * In a map, the offset of the latest key, or −1 if that key is a record. In a record that the message has declared,
   * the offset of its array of names.
   */
  at = -1;
  /** The id that is being declared. `hi` is −1 if the id has one byte. In frames without a declaration, `lo` is −1. */
  lo = -1;
  hi = -1;
  /** The names of a record whose shape was known before the message or element; null in all other frames. */
  names: readonly string[] | null = null;
  /** The outer frame; null for the message. */
  readonly outer: Frame | null;
  /** The frame inside this one, open or not; null until it is needed. */
  inner: Frame | null = null;

  constructor(outer: Frame | null) {
    this.outer = outer;
  }

  /** Whether the next child, or the current one, is a key. */
  get isAtKey(): boolean {
    return this.kind === MAP && this.index % 2 === 0;
  }

  inside(): Frame {
    this.inner ??= new Frame(this);
    return this.inner;
  }

  open(kind: number, count: number, start: number): void {
    this.kind = kind;
    this.count = count;
    this.start = start;
    this.index = 0;
    this.at = -1;
    this.lo = -1;
    this.hi = -1;
    this.names = null;
  }
}

/**
 * What the scanner keeps of a declaration: only the offset of its array of names. This saves memory, because a message
 * may consist only of declarations.
 */
type Place = number;

/** A message of a stream, or an element of a long array, that is scanned without the bytes before it. */
export interface Element {
  /** The index of the element in its array; −1 for a message. */
  readonly index: number;
  /** The declarations of earlier messages or elements; null if there are none. */
  readonly declared: RecordTable<Shape> | null;
}

/**
 * Whether an ext belongs to the value after it (spec/03#structured-cloning). `length` is the length of the ext's data,
 * `first` the first byte of the data.
 */
export type PrefixTest = (type: number, length: number, first: number) => boolean;

/** The limits that the scanner checks. */
export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxBytes: number;
}

export const NO_LIMITS: ScanLimits = { maxDepth: UNLIMITED, maxBytes: UNLIMITED };

/**
 * Scans one message at a time. Offsets count from the start of the message, which is byte 0 of every view. A later view
 * of the same message must start with the bytes of the earlier views.
 */
export class Scanner {
  /** The offset of the next head. */
  at = 0;
  /** How many values the open containers still have to deliver after the next value. */
  #owed = 0;
  #depth = 0;
  #isDone = false;
  /** Where `#smallLength` stopped when it last failed. It doesn't try values that start before this offset again. */
  #lookedTo = 0;
  readonly #message = new Frame(null);
  /** The innermost open container; the message if none is open. */
  #top = this.#message;
  #records: RecordTable<Place> | null = null;
  /** The table of an earlier message, to be reused, because many messages of a stream may declare records. */
  #spareRecords: RecordTable<Place> | null = null;
  #element: Element | null = null;
  readonly #head = new Head();
  readonly #inline: boolean;
  readonly #limits: ScanLimits;
  readonly #prefixes: PrefixTest | null;
  readonly #hasReserved: boolean;
  readonly #shared: SharedRecords | null;
  /** The shapes that are known before the message; null until they are needed, and if records aren't shared. */
  #dictionary: Dictionary | null;

  /**
   * @param prefixes recognizes ext values that belong to the value after them; null if there are none
   * @param shared provides the dictionary of each message, or is the dictionary if there is only one message
   * @param hasReserved whether the reserved byte is a value (option compat)
   */
  constructor(
    inline: boolean,
    limits: ScanLimits = NO_LIMITS,
    prefixes: PrefixTest | null = null,
    shared: SharedRecords | Dictionary | null = null,
    hasReserved = false,
  ) {
    this.#message.open(MESSAGE, 1, 0);
    this.#hasReserved = hasReserved;
    this.#inline = inline;
    this.#limits = limits;
    this.#prefixes = prefixes;
    this.#shared = shared !== null && 'reload' in shared ? shared : null;
    this.#dictionary = shared !== null && !('reload' in shared) ? shared : null;
  }

  /** Switches to the next message or element, which may use earlier declarations. */
  enter(element: Element): void {
    this.#element = element;
    this.reset();
  }

  /** Prepares for the next message or element. */
  reset(): void {
    this.at = 0;
    this.#owed = 0;
    this.#depth = (this.#element?.index ?? -1) < 0 ? 0 : 1;
    this.#isDone = false;
    this.#lookedTo = 0;
    this.#top = this.#message;
    this.#message.open(MESSAGE, 1, 0);
    if (this.#records !== null) this.#spareRecords = this.#records;
    this.#records = null;
    if (this.#shared !== null) this.#dictionary = null;
  }

  /** Whether the message is complete. If so, `at` is its end. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The offset of the head of the container whose child is next. */
  get containerStart(): number {
    return this.#top.start;
  }

  /**
   * Continues until the message is complete, or until the next head or its body goes past `end`. Returns whether the
   * message is complete.
   *
   * @throws Fault like `step`
   */
  run(view: DataView, end: number): boolean {
    do this.skim(view, end);
    while (!this.#isDone && this.step(view, end));
    return this.#isDone;
  }

  /**
   * Moves over heads like `step`, but faster, until a head needs `step`. Skips plain values and small containers, and
   * opens and closes the containers around them. Never goes past `end`.
   */
  skim(view: DataView, end: number): void {
    const hasIds = this.#hasIds();
    const { maxDepth } = this.#limits;
    for (;;) {
      const frame = this.#top;
      if (frame.count === -1 || frame.kind === NAMES || this.#depth >= maxDepth) return;
      this.#skimChildren(frame, view, end, hasIds);
      if (this.at >= end || this.#isDone || !this.#skimEdge(frame, view, end, hasIds)) return;
    }
  }

  /** Skips children that are plain or small containers. Never skips the last child, which would close the frame. */
  #skimChildren(frame: Frame, view: DataView, end: number, hasIds: boolean): void {
    const { maxBytes } = this.#limits;
    const isMap = frame.kind === MAP;
    const last = frame.count - 1;
    const first = frame.index;
    let index = first;
    let at = this.at;
    for (; index < last && at < end; index++) {
      const length = plainLength(view, at, end, hasIds) || this.#smallLength(view, at, end, hasIds);
      // The value is skipped only if it is complete, so checking maxBytes at its end is enough.
      if (length === 0 || at + length > end || at + length + this.#owed - (index - first) > maxBytes) break;
      if (isMap && index % 2 === 0) frame.at = hasIds && isId(view.getUint8(at)) ? -1 : at;
      at += length;
    }
    this.at = at;
    this.#owed -= index - first;
    frame.index = index;
  }

  /** Skips the next child, or opens it if it's a fixmap or fixarray. Returns false if `step` must handle the child. */
  #skimEdge(frame: Frame, view: DataView, end: number, hasIds: boolean): boolean {
    const { at } = this;
    const byte = view.getUint8(at);
    const length = plainLength(view, at, end, hasIds) || this.#smallLength(view, at, end, hasIds);
    if (length > 0) {
      if (at + length > end || at + length + this.#owed > this.#limits.maxBytes) return false;
      this.#pass(length);
      return true;
    }
    if (byte < FIXMAP || byte >= FIXSTR) return false;
    if (frame.isAtKey) frame.at = at;
    if (byte < FIXARRAY) return this.#open(MAP, 2 * (byte & 0x0f), -1, at, 1);
    return this.#open(ARRAY, byte & 0x0f, -1, at, 1);
  }

  /**
   * Returns the length of a container or instance that has at most SMALL heads and ends at or before `end`. This value
   * and the containers inside must be fixmaps, fixarrays or instances with one-byte ids. All other values inside must
   * be plain (plainLength). Returns 0 for any other value. Also returns 0 if the value starts before `#lookedTo`, or if
   * SMALL more open containers could exceed maxDepth.
   */
  #smallLength(view: DataView, start: number, end: number, hasIds: boolean): number {
    if (start < this.#lookedTo || this.#depth + SMALL > this.#limits.maxDepth) return 0;
    let at = start;
    let owed = 1;
    for (let heads = 0; heads < SMALL && at < end; heads++) {
      const byte = view.getUint8(at);
      if (byte >= FIXMAP && byte < FIXSTR) {
        owed += byte < FIXARRAY ? 2 * (byte & 0x0f) : byte & 0x0f;
        at++;
      } else {
        const length = plainLength(view, at, end, hasIds);
        const values = length === 0 ? this.#valuesOf(view, byte) : 0;
        if (values < 0) break;
        at += length || 1;
        owed += values;
      }
      if (--owed === 0 && at <= end) return at - start;
    }
    this.#lookedTo = at;
    return 0;
  }

  /** Returns how many values an instance with this one-byte id has; −1 if the byte isn't a known one-byte id. */
  #valuesOf(view: DataView, byte: number): number {
    const declared = isId(byte) ? this.#ids()?.direct(byte) : undefined;
    if (declared === undefined) return -1;
    if (typeof declared !== 'number') return declared.count;
    readHead(view, declared, view.byteLength, this.#head);
    return this.#head.children;
  }

  /** Whether a byte 40–7f may be the id of a record. */
  #hasIds(): boolean {
    return (
      this.#records !== null || this.#dictionary !== null || this.#shared !== null || this.#element?.declared != null
    );
  }

  /**
   * Moves past one head and its body. Returns false and doesn't move if they go past `end`.
   *
   * @throws Fault for a reserved byte, a wrong declaration or unknown id of a record, or a limit (spec/06#streams)
   */
  step(view: DataView, end: number): boolean {
    const start = this.at;
    if (start >= end) return false;
    const head = this.#head;
    const parent = this.#top;
    const byte = view.getUint8(start);
    if (parent.count === -1 || parent.kind === NAMES) return this.#stepNames(view, parent, start, end);
    if (parent.isAtKey) parent.at = start;
    if (isId(byte)) {
      const ids = this.#ids();
      const declared = ids?.direct(byte);
      if (declared !== undefined) return this.#instance(view, declared, start, 1, parent);
      if (ids?.isPaired(byte)) return this.#stepPair(view, start, end, parent);
      if (this.#dictionary !== null) {
        if (this.#reload()) return this.step(view, end);
        throw unknownRecordFault(start, hexByte(byte), this.#dictionary);
      }
    }
    if (!readHead(view, start, end, head)) return false;
    switch (head.kind) {
      case RESERVED_HEAD:
        if (!this.#hasReserved) throw reservedFault(start);
        break;
      case ARRAY_HEAD:
        this.#checkDepth(start);
        return this.#open(ARRAY, head.children, -1, start, head.length);
      case MAP_HEAD:
        this.#checkDepth(start);
        return this.#open(MAP, head.children, -1, start, head.length);
      case EXT_HEAD:
        if (this.#inline && head.type === RECORD_TYPE && (head.body === 1 || head.body === 2)) {
          return this.#declaration(view, start, end, parent);
        }
        if (this.#prefixes !== null && head.body > 0 && start + head.length < end) {
          const first = view.getUint8(start + head.length);
          if (this.#prefixes(head.type, head.body, first)) return this.#prefix(start, end);
        }
    }
    this.#checkBytes(start, head.length + head.body + this.#owed);
    if (start + head.length + head.body > end) return false;
    this.#pass(head.length + head.body);
    return true;
  }

  /** Moves past an ext that belongs to the value after it. */
  #prefix(start: number, end: number): boolean {
    const length = this.#head.length + this.#head.body;
    this.#checkBytes(start, length + 1 + this.#owed);
    if (start + length > end) return false;
    this.at += length;
    return true;
  }

  // --- containers ----------------------------------------------------------------------------------------------------

  #checkDepth(start: number): void {
    if (this.#depth >= this.#limits.maxDepth) throw depthFault(this.#limits.maxDepth, start);
  }

  #checkBytes(start: number, length: number): void {
    if (start + length > this.#limits.maxBytes) throw bytesFault(this.#limits.maxBytes, start);
  }

  /**
   * Opens an array, map or instance whose head has `length` bytes. `at` becomes `Frame.at`. If `count` is 0, only moves
   * past the head.
   */
  #open(kind: number, count: number, at: number, start: number, length: number): true {
    this.#checkBytes(start, length + count + this.#owed);
    if (count === 0) {
      this.#pass(length);
      return true;
    }
    this.at = start + length;
    this.#push(kind, count, start).at = at;
    this.#depth++;
    this.#owed += count - 1;
    return true;
  }

  #push(kind: number, count: number, start: number): Frame {
    const frame = this.#top.inside();
    frame.open(kind, count, start);
    this.#top = frame;
    return frame;
  }

  #pop(): void {
    this.#top = this.#top.outer as Frame;
  }

  /** Moves past a complete value of `length` bytes, and out of every container that it completes. */
  #pass(length: number): void {
    this.at += length;
    let frame = this.#top;
    while (++frame.index === frame.count && frame.outer !== null) {
      frame = frame.outer;
      this.#depth--;
    }
    this.#top = frame;
    this.#isDone = frame === this.#message;
    if (!this.#isDone) this.#owed--;
  }

  // --- records (spec/05) ---------------------------------------------------------------------------------------------

  /** Returns the ids that are valid for the next head; null if there are none. */
  #ids(): RecordIds<Place | Shape> | null {
    if (this.#records !== null) return this.#records;
    if (this.#dictionary === null && this.#shared !== null) this.#takeDictionary(this.#shared);
    return this.#element?.declared ?? this.#dictionary;
  }

  #takeDictionary(shared: SharedRecords): void {
    this.#dictionary = shared.current();
    // Declarations of earlier elements take precedence over the dictionary, which may have grown since.
    const declared = this.#element?.declared ?? null;
    if (declared !== null) declared.base = this.#dictionary;
  }

  /** Takes over a larger dictionary, after loading it if necessary. Returns whether there is one. */
  #reload(): boolean {
    const [shared, dictionary] = [this.#shared, this.#dictionary];
    if (shared === null || dictionary === null) return false;
    if (shared.grownFrom(dictionary) === null) shared.reload();
    if (shared.grownFrom(dictionary) === null) return false;
    this.#takeDictionary(shared);
    if (this.#records !== null && !this.#element?.declared) this.#records.base = this.#dictionary;
    return true;
  }

  #stepPair(view: DataView, start: number, end: number, parent: Frame): boolean {
    if (end - start < 2) return false;
    const lo = view.getUint8(start);
    const hi = view.getUint8(start + 1);
    const declared = this.#ids()?.pair(lo, hi);
    if (declared === undefined) {
      if (this.#reload()) return this.step(view, end);
      throw unknownRecordFault(start, `${hexByte(lo)}${hexByte(hi).slice(2)}`, this.#dictionary);
    }
    return this.#instance(view, declared, start, 2, parent);
  }

  #instance(view: DataView, declared: Place | Shape, start: number, length: number, parent: Frame): true {
    if (parent.isAtKey) parent.at = -1;
    this.#checkDepth(start);
    if (typeof declared === 'number') {
      readHead(view, declared, start, this.#head);
      return this.#open(RECORD, this.#head.children, declared, start, length);
    }
    this.#open(RECORD, declared.count, -1, start, length);
    if (declared.count > 0) this.#top.names = declared.names;
    return true;
  }

  /** Opens a declaration. The number of its values is known only after the head of its array of names is read. */
  #declaration(view: DataView, start: number, end: number, parent: Frame): boolean {
    const { length, body } = this.#head;
    if (start + length + body > end) return false;
    const lo = view.getUint8(start + length);
    const byte = view.getUint8(start);
    if ((byte !== FIXEXT1 && byte !== FIXEXT2) || !isRecordId(lo, body)) throw recordIdFault(start);
    if (parent.isAtKey) parent.at = -1;
    this.#checkDepth(start);
    this.#checkBytes(start, length + body + 1 + this.#owed);
    this.at = start + length + body;
    const frame = this.#push(RECORD, -1, start);
    frame.lo = lo;
    frame.hi = body === 1 ? -1 : view.getUint8(start + length + 1);
    this.#depth++;
    return true;
  }

  /** Reads the head of a declaration's array of names, or reads one of the names. */
  #stepNames(view: DataView, frame: Frame, start: number, end: number): boolean {
    const isComplete = readHead(view, start, end, this.#head);
    const { kind, length, body, children } = this.#head;
    if (isComplete && kind === RESERVED_HEAD) throw reservedFault(start);
    checkFamily(frame, start, view.getUint8(start));
    if (!isComplete) return false;
    if (frame.kind === NAMES) {
      this.#checkBytes(start, length + body + this.#owed);
      if (start + length + body > end) return false;
      this.at = start + length + body;
      frame.index++;
      if (frame.index === frame.count) this.#declare();
      else this.#owed--;
      return true;
    }
    this.#checkBytes(start, length + 2 * children + this.#owed);
    this.at = start + length;
    frame.count = children;
    frame.at = start;
    if (children > 0) {
      this.#push(NAMES, children, start);
      this.#owed += 2 * children - 1;
    } else {
      this.#register(frame);
      this.#pop();
      this.#depth--;
      this.#pass(0);
    }
    return true;
  }

  /** Called after the last name. The record's first value is now the next value, which `#owed` doesn't count. */
  #declare(): void {
    this.#pop();
    this.#register(this.#top);
    this.#owed--;
  }

  #register({ lo, hi, at }: Frame): void {
    if (lo === -1) return;
    if (this.#records === null) {
      const ids = this.#ids();
      this.#records = this.#spareRecords ?? new RecordTable();
      this.#records.clear(this.#element === null ? this.#dictionary : (ids as RecordIds<Shape> | null));
    }
    if (hi === -1) this.#records.declareOne(lo, at);
    else this.#records.declarePair(lo, hi, at);
  }

  // --- paths (spec/07#path) ------------------------------------------------------------------------------------------

  /**
   * Returns the path of the next value. If a key or the names of a declaration are next or have begun, returns the path
   * of the map or record instead.
   */
  pathHere(view: DataView): string {
    return this.#path(view).text;
  }

  #path(view: DataView): PathText {
    const path = new PathText();
    if (this.#element !== null && this.#element.index >= 0) path.add(String(this.#element.index));
    for (let frame = this.#message; frame !== this.#top; ) {
      frame = frame.inside();
      const isDeclaring = frame.count === -1 || (frame !== this.#top && frame.inside().kind === NAMES);
      if (isDeclaring || frame.isAtKey) break;
      path.add(this.#token(view, frame));
      if (path.isFull) break;
    }
    return path;
  }

  /**
   * Returns the path of the map entry whose key is next. Outside a map, and inside a container that is a key, returns
   * the same as `pathHere`.
   */
  pathOfEntry(view: DataView, end: number): string {
    const frame = this.#top;
    const path = this.#path(view);
    if (frame.kind === MAP && !this.#isInKey()) {
      const entry = frame.index / 2;
      path.add(this.#isRecordAt(view, this.at, end) ? `#${entry}` : keyTokenAt(view, this.at, end, entry));
    }
    return path.text;
  }

  /** Whether the scanner is inside a key of an outer frame. The path then ends at the map of that frame. */
  #isInKey(): boolean {
    for (let frame = this.#top.outer; frame !== null; frame = frame.outer) {
      if (frame.isAtKey) return true;
    }
    return false;
  }

  #isRecordAt(view: DataView, at: number, end: number): boolean {
    const ids = this.#inline && at < end ? this.#ids() : null;
    const byte = ids === null ? 0 : view.getUint8(at);
    return ids !== null && isId(byte) && (ids.isPaired(byte) || ids.one(byte) !== undefined);
  }

  #token(view: DataView, frame: Frame): string {
    if (frame.kind === ARRAY) return String(frame.index);
    if (frame.kind === RECORD) return frame.names?.[frame.index] ?? nameTokenAt(view, frame.at, frame.index);
    const entry = (frame.index - 1) / 2;
    return frame.at === -1 ? `#${entry}` : keyTokenAt(view, frame.at, view.byteLength, entry);
  }
}

/** Refuses a value that isn't the expected name or array of names, by its head byte alone (spec/05#declaration). */
function checkFamily(frame: Frame, start: number, byte: number): void {
  if (frame.kind === NAMES) {
    const isStr = (byte >= 0xa0 && byte <= 0xbf) || (byte >= STR8 && byte <= STR32);
    if (!isStr) throw nameKindFault(start, byte);
  } else {
    if (!isArrayHead(byte)) throw namesKindFault(start, byte);
  }
}
