// Values of PHP that JavaScript has no type for (spec/10-snapshot.md#elsewhere).
//
// Plan: PhpText · PhpCase · ObjectShape · PhpObject.

/** A string of PHP: text if it is UTF-8, else bytes. Equal strings may share their bytes, so don't change the bytes. */
export type PhpText = string | Uint8Array;

/** A case of an enum. A case has only one PhpCase in a snapshot, so you can compare cases of a snapshot with `===`. */
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
  /** The names of the properties, in the order of the values; empty for every form but 'properties'. */
  readonly names: readonly PhpText[];
  readonly absent: readonly PhpText[];
  readonly form: 'properties' | 'many' | 'data' | 'bytes';
}

/** An object of PHP as data. Its class is only a name, without code. */
export class PhpObject {
  readonly #shape: ObjectShape;
  /** With the form 'properties', the values of the properties; otherwise one value. */
  readonly #values: readonly unknown[];
  /** Made on first use, because a Map needs about 200 bytes. */
  #properties: Map<PhpText, unknown> | undefined;

  /** @internal */
  constructor(shape: ObjectShape, values: readonly unknown[]) {
    this.#shape = shape;
    this.#values = values;
  }

  /** The name of the object's class, such as `App\Model\User`. */
  get class(): PhpText {
    return this.#shape.class;
  }

  /**
   * The properties by their names, in PHP's order; empty if the object has data or bytes. An ancestor's private
   * property is named `\0Class\0name`. If there are more than 255 properties, their names are the keys of PHP's
   * `(array)` cast, such as `\0*\0name` for a protected property.
   */
  get properties(): Map<PhpText, unknown> {
    this.#properties ??= this.#makeProperties();
    return this.#properties;
  }

  /** The names of the properties that have no value, because they are unset or not initialised. */
  get absent(): readonly PhpText[] {
    return this.#shape.absent;
  }

  /** The array that `__serialize` of the class returned; undefined if the class had no such method. */
  get data(): unknown {
    return this.#shape.form === 'data' ? this.#values[0] : undefined;
  }

  /** The string that `serialize` of the old interface Serializable returned; undefined for other objects. */
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

  /** Returns what Node prints for the object. */
  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    const { form, class: name } = this.#shape;
    if (form === 'data' || form === 'bytes') return { class: name, [form]: this.#values[0] };
    return { class: name, properties: this.properties };
  }
}

/** Returns the entries of an array of PHP, whichever container it became. */
function entriesOf(array: unknown): Iterable<[PhpText | number | bigint, unknown]> {
  if (array instanceof Map || Array.isArray(array)) return array.entries();
  return Object.entries(array as Record<string, unknown>);
}
