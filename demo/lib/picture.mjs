/** @param {import('./relay.mjs').RelayResult} result */
export function picture(result) {
  return JSON.stringify(result);
}
