/**
 * @param {any} options
 * @returns {Promise<string>}
 */
export async function askThirdParty(options) {
  return String(options && '');
}
