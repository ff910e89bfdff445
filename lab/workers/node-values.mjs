// The values of JavaScript that JSON can't carry, as the data of a scenario has them: a Date as
// {"$date": milliseconds}, bytes as {"$bytes": base64}. No payload has such names itself.

/** The scenarios that have some. */
export const TAGGED = ['js-logs', 'js-blobs'];

/** @param {unknown} value */
export function write(value) {
  return JSON.stringify(value, function (/** @type {string} */ key, said) {
    const it = this[key]; // JSON.stringify() has made text of a Date before it asks
    if (it instanceof Date) return { $date: it.getTime() };
    return it instanceof Uint8Array ? { $bytes: Buffer.from(it).toString('base64') } : said;
  });
}

/**
 * @param {string} text
 * @param {string} scenario
 */
export function read(text, scenario) {
  if (!TAGGED.includes(scenario)) return JSON.parse(text);
  return JSON.parse(text, (_, value) => {
    if (typeof value?.$date === 'number') return new Date(value.$date);
    return typeof value?.$bytes === 'string' ? bytesOf(value.$bytes) : value;
  });
}

/** Reads base64 in browsers, too. @param {string} text */
function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
