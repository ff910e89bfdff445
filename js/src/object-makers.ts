// The same function many times over, each for the objects of one shape.
//
// Engines note at each place of a program what objects it has seen, and are quick where it was one shape, and one name: a
// store into a property is a few instructions then, and a search otherwise. What they have noted belongs to the text
// of a function, so all closures of one text share it, and only a copy of the text has notes of its own. Where code may be made
// from strings each hot shape gets a text (shape-compiler.ts); where it may not, one of these (shape-cloner.ts).
//
// Compressed, a copy is one byte: none may differ from the others.

export type Properties = Record<string, unknown>;

/** Properties that one maker fills. */
export const MOST_MADE = 8;

/**
 * Fills `count` properties, at most MOST_MADE of them, with `values` from `from` on.
 *
 * @param object null for a copy of `template`, which has all properties
 * @returns the object
 */
export type Maker = (
  object: Properties | null,
  template: Properties,
  names: readonly string[],
  values: readonly unknown[],
  from: number,
  count: number,
) => Properties;

export const MAKERS: readonly Maker[] = [
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
  (object, template, names, values, from, count) => {
    const made = object ?? { ...template };
    made[names[from] as string] = values[from];
    if (count > 1) made[names[from + 1] as string] = values[from + 1];
    if (count > 2) made[names[from + 2] as string] = values[from + 2];
    if (count > 3) made[names[from + 3] as string] = values[from + 3];
    if (count > 4) made[names[from + 4] as string] = values[from + 4];
    if (count > 5) made[names[from + 5] as string] = values[from + 5];
    if (count > 6) made[names[from + 6] as string] = values[from + 6];
    if (count > 7) made[names[from + 7] as string] = values[from + 7];
    return made;
  },
];
