/**
 * The relay's result as one HTML file: no network, filters, readable in print and in the dark.
 */

import { LANGUAGE_NAMES, LANGUAGES } from './drivers.mjs';
import { failures, headline, lossKinds, lossTotal, NOTES } from './report.mjs';

/** @typedef {import('./relay.mjs').RelayResult} RelayResult */

/** Characters of a path or an error that are shown. */
const WHERE_LENGTH = 90;

/**
 * What the page shows: the result with the sentences and sums that all reports share.
 *
 * @param {RelayResult} result
 */
export function pageDocument(result) {
  const { ok, chain, languages, datasets } = result;
  return {
    ...{ ok, chain, headline: headline(result), notes: NOTES, failures: failures(result) },
    languages: LANGUAGES.map((name) => ({ name, title: LANGUAGE_NAMES[name], version: languages[name] })),
    datasets: datasets.map((dataset) => ({
      ...dataset,
      losses: dataset.losses.map((loss) => ({
        trip: loss.trip,
        total: lossTotal(loss),
        reordered: loss.tally.reordered,
        kinds: lossKinds(loss).map((kind) => ({ ...kind, where: kind.where.slice(0, WHERE_LENGTH) })),
      })),
    })),
  };
}

/**
 * @param {RelayResult} result
 * @returns {Promise<string>} a whole document
 */
export async function htmlReport(result) {
  // Only a run that wants the page needs what makes it.
  const { pageOf } = await import('../../lab/templates/build.mjs');
  return pageOf('relay', pageDocument(result));
}
