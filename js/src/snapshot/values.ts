// Values of PHP that JavaScript has no type for (spec/10-snapshot.md#elsewhere).
//
// Plan: PhpText · PhpCase · PhpObject · what a shape says.

/** A string of PHP: text if it is UTF-8, else its bytes. Equal strings may share their bytes, so don't change them. */
export type PhpText = string | Uint8Array;

/** A case of an enum. There is one PhpCase for each case in a snapshot, so `===` compares them. */
export class PhpCase {
  readonly class: PhpText;
  readonly name: PhpText;

  constructor(className: PhpText, name: PhpText) {
    this.class = className;
    this.name = name;
  }
}

/** What all objects of one shape share. */
export interface ObjectShape {
  readonly class: PhpText;
  /** For objects with properties: their names, in the order of the values. */
  readonly names: readonly PhpText[];
  readonly absent: readonly PhpText[];
  readonly form: 'properties' | 'many' | 'data' | 'bytes';
}

/** An object of PHP as data: its class is a name, and no code belongs to it. */
export class PhpObject {
  readonly #shape: ObjectShape;
  /** The values of the properties, or the one value of an object that has data or bytes. */
  readonly #values: readonly unknown[];
  /** Made when it is first asked for: a Map takes about 200 bytes. */
  #properties: Map<PhpText, unknown> | undefined;

  /** @internal */
  constructor(shape: ObjectShape, values: readonly unknown[]) {
    this.#shape = shape;
    this.#values = values;
  }

  /** The name of its class, such as `App\Model\User`. */
  get class(): PhpText {
    return this.#shape.class;
  }

  /**
   * Its properties by their names, in PHP's order; empty if it has data or bytes. The name of an ancestor's private
   * property is `\0Class\0name`. Of an object with more than 255 properties the names are those that an array of them
   * has in PHP, so protected ones are `\0*\0name`.
   */
  get properties(): Map<PhpText, unknown> {
    this.#properties ??= this.#makeProperties();
    return this.#properties;
  }

  /** Names of properties without a value, unset or not initialised. */
  get absent(): readonly PhpText[] {
    return this.#shape.absent;
  }

  /** What its `__serialize` returned; undefined if it has none. */
  get data(): unknown {
    return this.#shape.form === 'data' ? this.#values[0] : undefined;
  }

  /** What its old `serialize` hook returned; undefined if it has none. */
  get bytes(): PhpText | undefined {
    return this.#shape.form === 'bytes' ? (this.#values[0] as PhpText) : undefined;
  }

  #makeProperties(): Map<PhpText, unknown> {
    const properties = new Map<PhpText, unknown>();
    if (this.#shape.form === 'many') {
      for (const [name, value] of entriesOf(this.#values[0])) {
        properties.set(name instanceof Uint8Array ? name : String(name), value);
      }
    } else {
      for (const [index, name] of this.#shape.names.entries()) properties.set(name, this.#values[index]);
    }
    return properties;
  }

  /** What Node prints. */
  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    const { form, class: name } = this.#shape;
    if (form === 'data' || form === 'bytes') return { class: name, [form]: this.#values[0] };
    return { class: name, properties: this.properties };
  }
}

/** Returns the entries of an array of PHP, whatever it became. */
function entriesOf(array: unknown): Iterable<[PhpText | number | bigint, unknown]> {
  if (array instanceof Map || Array.isArray(array)) return array.entries();
  return Object.entries(array as Record<string, unknown>);
}
