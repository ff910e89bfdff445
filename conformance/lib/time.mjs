// Times as the commands take them: 60s, 5m, 1h, or plain seconds.

/**
 * @param {string} text
 * @returns {number | null} seconds, or null if it is no such time
 */
export function secondsIn(text) {
  const [, number = '', unit = 's'] = /^([1-9][0-9]*)([smh]?)$/.exec(text) ?? [];
  return number === '' ? null : Number(number) * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1);
}
