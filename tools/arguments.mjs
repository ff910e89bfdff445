// Reads the arguments of the tools. Wrong ones end the process with status 2 and one line.

import { parseArgs } from 'node:util';

/**
 * @param {string} command the name of the tool
 * @param {string} why
 * @returns {never}
 */
export function refuse(command, why) {
  console.error(`${command}: ${why}; see --help`);
  process.exit(2);
}

/**
 * `parseArgs` of Node, for the arguments of this process.
 *
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} command the name of the tool
 * @param {T} config
 */
export function readArguments(command, config) {
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(command, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Reads the value of an option that takes a number.
 *
 * @param {string} command the name of the tool
 * @param {string} option
 * @param {string} text
 * @param {number} [least]
 * @returns {number}
 */
export function wholeNumber(command, option, text, least = 0) {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  return refuse(command, `--${option} takes a whole number from ${least} to 999999999, not ${text}`);
}
