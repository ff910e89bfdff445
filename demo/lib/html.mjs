/** @param {import('./relay.mjs').RelayResult} result */
export function htmlReport(result) {
  return `<!doctype html>${JSON.stringify(result)}`;
}
