// Bundled strings (option bundleStrings): a layout of msgpackr that collects strings in long texts, so that a reader
// can decode many strings at once.
//
// Plan: layout · Bundler, which turns plain bytes into bundled bytes. unbundle.ts does the reverse.
//
// A str of 4 … 4,095 code units that isn't the whole message becomes c1 and an int n. If n > 0, they stand for the
// next n code units of the ASCII text. If n < 0, they stand for the next −n code units of the other text. An ext before
// the first such str of a bundle says where the bundle's two texts are. The texts of a full bundle are in the ext that
// opens the next bundle. The texts of the last bundle follow the message.
//
//   d6 62 <distance, 4 bytes> <c1 n>      … message …      <str: not ASCII> <str: ASCII>
//   c8 <length> 62 <distance> <str> <str> <c1 n>           the first bundle's texts, and a second bundle
//
// A distance counts from its own first byte. The rest of the codec knows only plain bytes. This file and unbundle.ts
// convert between plain and bundled bytes. A reader refuses a bundle whose texts start before the end of the previous
// bundle's texts. So each byte is part of at most one text, whatever the distances say.

import { Fault } from '../core/errors.ts';
import type { HasExtensions } from '../core/extension.ts';
import { EXT16, EXT32, RESERVED } from '../core/format.ts';
import { decodeText } from '../core/text.ts';
import type { Bytes } from '../core/views.ts';
import { StrEncoder, strHeadLength } from '../encoder/output/str.ts';
import type { Settings } from '../options/settings.ts';
import { EXT_HEAD, Head, RESERVED_HEAD, readHead, STR_HEAD } from '../scan/head.ts';
import { scannerFor, viewOf } from './envelope.ts';

const BUNDLE_TYPE = 0x62;
/** Length of a distance in bytes. */
const DISTANCE_LENGTH = 4;
const SHORTEST = 4;
const LONGEST = 4095;
/** The most code units in a bundle, not counting its first str. */
const FULL = 0x5500;

class Bundler extends StrEncoder {
  /** The two texts of the current bundle: strings that aren't ASCII, and ASCII strings. */
  #wide = '';
  #ascii = '';
  /** Length of `#wide` in bytes of UTF-8. */
  #wideLength = 0;
  /** The offset of the current bundle's distance; −1 before the first bundle. */
  #distanceAt = -1;
  #size = Number.POSITIVE_INFINITY;

  /** Bundles the strings of one message that an Encoder wrote. */
  bundle(message: Uint8Array, settings: Settings, holder: HasExtensions): Bytes {
    const scanner = scannerFor(settings, { ...settings.limits, maxBytes: Number.POSITIVE_INFINITY }, holder);
    const view = viewOf(message);
    const head = new Head();
    let copied = 0;
    while (!scanner.isDone) {
      const start = scanner.at;
      readHead(view, start, message.length, head);
      const what = this.#misreadAs(head);
      if (what !== null) throw misreadFault(what).toError(scanner.pathHere(view));
      scanner.step(view, message.length);
      const text = head.kind === STR_HEAD && start > 0 ? textOf(message, start + head.length, scanner.at) : null;
      if (text !== null) {
        this.append(message.subarray(copied, start));
        copied = scanner.at;
        this.#text(text, head.body);
      }
    }
    this.append(message.subarray(copied));
    if (this.#distanceAt >= 0) this.#close();
    return this.take();
  }

  /** If readers would take a value for a part of a bundle, returns the reason as text; otherwise null. */
  #misreadAs({ kind, type, body }: Head): string | null {
    if (opensBundle(kind, type, body)) return `an ext of type ${BUNDLE_TYPE} with 4 or more bytes opens a bundle`;
    return kind === RESERVED_HEAD && this.#distanceAt >= 0 ? 'after the first bundled string C1 is a string' : null;
  }

  #text(text: string, byteLength: number): void {
    const { length } = text;
    this.#size += length;
    if (this.#size > FULL) this.#open();
    this.byte(RESERVED);
    if (length === byteLength) {
      this.#ascii += text;
      this.int(length);
    } else {
      this.#wide += text;
      this.#wideLength += byteLength;
      this.int(-length);
    }
  }

  #open(): void {
    const isFirst = this.#distanceAt < 0;
    if (isFirst) this.extHead(BUNDLE_TYPE, DISTANCE_LENGTH);
    else {
      // msgpackr uses an ext 16, even where a shorter head is possible. Texts in some scripts are so long that they
      // need an ext 32.
      const length = DISTANCE_LENGTH + strLength(this.#wideLength) + strLength(this.#ascii.length);
      if (length > 0xffff) this.head32(EXT32, length);
      else this.head16(EXT16, length);
      this.byte(BUNDLE_TYPE);
    }
    const at = this.offset;
    this.ensure(DISTANCE_LENGTH);
    this.offset += DISTANCE_LENGTH;
    if (!isFirst) this.#close();
    this.#distanceAt = at;
    this.#size = 0;
  }

  /** Writes the texts of the bundle, and their distance. */
  #close(): void {
    this.view.setUint32(this.#distanceAt, this.offset - this.#distanceAt);
    this.str(this.#wide);
    this.str(this.#ascii);
    this.#wide = '';
    this.#wideLength = 0;
    this.#ascii = '';
  }
}

/** Returns the text of a str if a bundle may hold it; otherwise null. */
function textOf(message: Uint8Array, from: number, to: number): string | null {
  // Text has at most as many code units as bytes, and at most three bytes for each code unit.
  if (to - from < SHORTEST || to - from > 3 * LONGEST) return null;
  const text = decodeText(message, from, to);
  return text === null || text.length < SHORTEST || text.length > LONGEST ? null : text;
}

function strLength(bodyLength: number): number {
  return strHeadLength(bodyLength) + bodyLength;
}

/** Whether a head opens a bundle. The caller checks that no extension is registered for BUNDLE_TYPE. */
export function opensBundle(kind: number, type: number, length: number): boolean {
  return kind === EXT_HEAD && type === BUNDLE_TYPE && length >= DISTANCE_LENGTH;
}

function misreadFault(what: string): Fault {
  return new Fault('unsupported_value', null, `${what}, with bundleStrings`, 'pack it without bundleStrings');
}

/**
 * Bundles the strings of one message that an Encoder with these extensions wrote. Leaves the message as it is if an
 * extension is registered for the type of bundles, because readers with this extension read no bundles.
 *
 * @throws PolypackError for values that readers would take for parts of a bundle
 */
export function bundle(message: Bytes, settings: Settings, holder: HasExtensions): Bytes {
  if (holder.extensions.forType(BUNDLE_TYPE) !== undefined) return message;
  return new Bundler(settings.inline).bundle(message, settings, holder);
}
