/**
 * The relay's result as one HTML file: no script, no network, readable in print and in the dark.
 *
 * Plan of the file: the page · matrix · losses · sizes · times · data · bars · style.
 */

import { LANGUAGE_NAMES, LANGUAGES } from './drivers.mjs';
import { TRIPS } from './relay.mjs';
import {
  count,
  failures,
  headline,
  lossAltogether,
  lossKinds,
  lossTotal,
  milliseconds,
  NOTES,
  plural,
} from './report.mjs';

/**
 * @typedef {import('./relay.mjs').RelayResult} RelayResult
 * @typedef {import('./relay.mjs').DatasetResult} DatasetResult
 * @typedef {import('./relay.mjs').Verdict} Verdict
 */

/**
 * @param {RelayResult} result
 * @returns {string} a whole document
 */
export function htmlReport(result) {
  const { datasets, ok } = result;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Polypack relay: ${ok ? 'all identical' : 'differences'}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="kicker">Polypack · the relay</p>
<h1>Real data through every language, there and back</h1>
<p class="result ${ok ? 'good' : 'bad'}">${mark(ok)} <span>${escapeText(headline(result))}</span></p>
<dl class="languages">${LANGUAGES.map((l) => `<div><dt>${LANGUAGE_NAMES[l]}</dt><dd>${escapeText(result.languages[l])}</dd></div>`).join('')}</dl>
<nav aria-label="Sections">${[
    ['matrix', 'Matrix'],
    ['losses', 'Losses'],
    ['sizes', 'Sizes'],
    ['times', 'Times'],
    ['data', 'Data'],
  ]
    .map(([id, name]) => `<a href="#${id}">${name}</a>`)
    .join('')}</nav>
</header>
<main>
${failureSection(result)}
${matrixSection(result)}
${lossSection(datasets)}
${sizeSection(datasets)}
${timeSection(datasets)}
${dataSection(datasets)}
</main>
</body>
</html>
`;
}

/**
 * Makes a text safe in HTML and SVG, between tags and in attributes with double quotes.
 *
 * @param {string} text
 */
export function escapeText(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[/** @type {keyof typeof entities} */ (character)]);
}

/** @param {boolean} good */
function mark(good) {
  const path = good ? 'M3 8.5 6.5 12 13 4.5' : 'M4 4 12 12M12 4 4 12';
  return `<svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${path}"/></svg>`;
}

/**
 * @param {string} id
 * @param {string} title
 * @param {string} note
 * @param {string} body
 */
function section(id, title, note, body) {
  return `<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<p class="note">${escapeText(note)}</p>
${body}
</section>`;
}

// --- matrix ----------------------------------------------------------------------------------------------------------

/** @param {RelayResult} result */
function failureSection(result) {
  const found = failures(result);
  if (found.length === 0) return '';
  const rows = found.map(
    ({ dataset, where, detail }) =>
      `<tr><th scope="row">${escapeText(dataset)}</th><td>${escapeText(where)}</td><td>${escapeText(detail)}</td></tr>`,
  );
  return section(
    'differences',
    'Differences',
    'Where each begins; paths are JSON pointers.',
    `<div class="scroll"><table><caption>Every check that failed</caption>
<thead><tr><th scope="col">data set</th><th scope="col">where</th><th scope="col">what differs</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`,
  );
}

/** @param {RelayResult} result */
function matrixSection({ datasets, chain }) {
  const tables = datasets.map((dataset) => matrix(dataset));
  const note = `${NOTES.matrix} The chain is ${chain}; records are written by JavaScript and read by the reference.`;
  return section('matrix', 'Encoder to decoder', note, `<div class="grid">${tables.join('\n')}</div>`);
}

/** @param {DatasetResult} dataset */
function matrix({ name, version, values, cells, chain, records }) {
  const head = LANGUAGES.map((language) => `<th scope="col">${LANGUAGE_NAMES[language]}</th>`).join('');
  const rows = LANGUAGES.map((encoder) => {
    const row = cells.filter((cell) => cell.encoder === encoder).map((cell) => `<td>${verdict(cell)}</td>`);
    return `<tr><th scope="row">${LANGUAGE_NAMES[encoder]}</th>${row.join('')}</tr>`;
  });
  return `<div class="card"><table class="matrix">
<caption><strong>${escapeText(name)}</strong><br>${escapeText(version)} · ${count(values)} values</caption>
<thead><tr><td class="corner">from ↓ to →</td>${head}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>
<p class="extra"><span>chain ${verdict(chain)}</span> <span>records ${verdict(records)}</span></p></div>`;
}

/** @param {Verdict} verdict */
function verdict({ identical, detail }) {
  const word = identical ? 'identical' : 'different';
  return `<span class="${identical ? 'good' : 'bad'}"${identical ? '' : ` title="${escapeText(detail)}"`}>${mark(identical)}${word}</span>`;
}

// --- losses ----------------------------------------------------------------------------------------------------------

/** @param {DatasetResult[]} datasets */
function lossSection(datasets) {
  return section(
    'losses',
    'What the usual trips lose',
    NOTES.losses,
    `${lossChart(datasets)}\n${datasets.map(lossTable).join('\n')}`,
  );
}

/** @param {DatasetResult[]} datasets */
function lossChart(datasets) {
  const totals = TRIPS.map(({ name }) => ({ name, total: lossTotal(lossAltogether(datasets, name)) }));
  const longest = Math.max(1, ...totals.map(({ total }) => total));
  const bars = totals.map(({ name, total }) => ({
    label: name,
    share: total / longest,
    text: total === 0 ? 'nothing' : count(total),
    tone: 'loss',
  }));
  const ours = datasets.every(allIdentical) ? 'nothing' : 'see the differences above';
  bars.push({ label: 'Polypack, lossless mode', share: 0, text: ours, tone: 'ours' });
  return `<figure class="card wide"><figcaption><strong>All data sets together</strong> values changed or messages refused</figcaption>
${barChart(bars, 'Values changed or messages refused by each trip, all data sets together', WIDE)}</figure>`;
}

/** @param {DatasetResult} dataset */
function allIdentical({ cells, chain, records }) {
  return [...cells, chain, records].every(({ identical }) => identical);
}

/** @param {DatasetResult} dataset */
function lossTable({ name, messages, losses }) {
  const rows = losses.map((loss) => {
    const kinds = lossKinds(loss).map(
      ({ kind, count: number, where }) =>
        `<li><b>${count(number)}</b> ${escapeText(kind)} <code>${escapeText(where.slice(0, 90))}</code></li>`,
    );
    const { reordered } = loss.tally;
    const order = reordered === 0 ? '–' : plural(reordered, 'map', 'maps');
    return `<tr><th scope="row">${escapeText(loss.trip)}</th>
<td>${kinds.length === 0 ? '<span class="quiet">nothing</span>' : `<ul>${kinds.join('')}</ul>`}</td><td class="number">${order}</td></tr>`;
  });
  const rowsNote = messages === 1 ? '' : ` <span>${count(messages)} rows, each sent alone</span>`;
  return `<div class="scroll"><table class="losses">
<caption><strong>${escapeText(name)}</strong>${rowsNote}</caption>
<thead><tr><th scope="col">trip</th><th scope="col">changed, and where first</th><th scope="col" class="number">other order</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

// --- sizes -----------------------------------------------------------------------------------------------------------

/** @param {DatasetResult[]} datasets */
function sizeSection(datasets) {
  const figures = datasets.map((dataset) => {
    const longest = Math.max(...dataset.sizes.map(({ raw }) => raw));
    const bars = dataset.sizes.flatMap(({ form, raw, gzip, brotli }) => [
      { label: form, share: raw / longest, text: count(raw), tone: 'raw' },
      { label: 'gzip', share: gzip / longest, text: count(gzip), tone: 'gzip' },
      { label: 'brotli', share: brotli / longest, text: count(brotli), tone: 'brotli' },
    ]);
    return `<figure class="card"><figcaption><strong>${escapeText(dataset.name)}</strong> bytes</figcaption>
${barChart(bars, `Bytes of ${dataset.name} in each form`, NARROW)}</figure>`;
  });
  const rows = datasets.flatMap(({ name, sizes, brotliQuality }) =>
    sizes.map(
      ({ form, raw, gzip, brotli }, i) => `<tr>
${i === 0 ? `<th scope="rowgroup" rowspan="${sizes.length}">${escapeText(name)}</th>` : ''}<td>${escapeText(form)}</td>
<td class="number">${count(raw)}</td><td class="number">${count(gzip)}</td><td class="number">${count(brotli)}</td>
<td class="number">${brotliQuality}</td></tr>`,
    ),
  );
  return section(
    'sizes',
    'Sizes',
    `${NOTES.sizes} Compare like with like: raw with raw, compressed with compressed.`,
    `<div class="grid">${figures.join('\n')}</div>
<div class="scroll"><table><caption>Bytes, raw and compressed</caption>
<thead><tr><th scope="col">data set</th><th scope="col">form</th><th scope="col" class="number">raw</th>
<th scope="col" class="number">gzip −6</th><th scope="col" class="number">brotli</th><th scope="col" class="number">quality</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`,
  );
}

// --- times and data --------------------------------------------------------------------------------------------------

/** @param {DatasetResult[]} datasets */
function timeSection(datasets) {
  const groups = LANGUAGES.map((l) => `<th scope="colgroup" colspan="2" class="number">${LANGUAGE_NAMES[l]}</th>`).join(
    '',
  );
  const heads = LANGUAGES.map(
    () => '<th scope="col" class="number">decode</th><th scope="col" class="number">encode</th>',
  ).join('');
  const rows = datasets.map(({ name, values, times, repeats }) => {
    const cells = LANGUAGES.map((language) => {
      const time = times.find((candidate) => candidate.language === language);
      if (time === undefined) return '<td class="number">–</td><td class="number">–</td>';
      return `<td class="number">${milliseconds(time.decode)}</td><td class="number">${milliseconds(time.encode)}</td>`;
    });
    return `<tr><th scope="row">${escapeText(name)}</th><td class="number">${count(values)}</td>${cells.join('')}<td class="number">${repeats}</td></tr>`;
  });
  return section(
    'times',
    'Times',
    NOTES.times,
    `<div class="scroll"><table><caption>Milliseconds, lossless mode</caption>
<thead><tr><th scope="col" rowspan="2">data set</th><th scope="col" rowspan="2" class="number">values</th>${groups}
<th scope="col" rowspan="2" class="number">median of</th></tr><tr>${heads}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`,
  );
}

/** @param {DatasetResult[]} datasets */
function dataSection(datasets) {
  const rows = datasets.map(
    ({
      name,
      about,
      version,
      licence,
      file,
    }) => `<tr><th scope="row">${escapeText(name)}</th><td>${escapeText(about)}</td>
<td><code>${escapeText(file)}</code></td><td>${escapeText(version)}</td><td>${escapeText(licence)}</td></tr>`,
  );
  return section(
    'data',
    'Data',
    'Published data packages at exact versions, and one generated set from a fixed seed.',
    `<div class="scroll"><table><caption>Where the data comes from</caption>
<thead><tr><th scope="col">data set</th><th scope="col">what it is</th><th scope="col">file</th><th scope="col">version</th>
<th scope="col">licence</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`,
  );
}

// --- bars ------------------------------------------------------------------------------------------------------------

/** SVG units */
const WIDE = { width: 760, label: 285, number: 80, row: 24, bar: 13 };
const NARROW = { width: 400, label: 138, number: 84, row: 21, bar: 11 };

/**
 * Draws horizontal bars with their labels as real text.
 *
 * @param {{ label: string, share: number, text: string, tone: string }[]} bars share: 0 … 1 of the full width
 * @param {string} title for readers who do not see it; the numbers stand in a table as well
 * @param {typeof WIDE} geometry
 */
function barChart(bars, title, { width, label, number, row, bar }) {
  const full = width - label - number;
  const drawn = bars.map(({ label: name, share, text, tone }, i) => {
    const y = i * row;
    const length = share === 0 ? 0 : Math.max(2, share * full);
    return `<text class="label" x="${label - 10}" y="${y + row / 2}">${escapeText(name)}</text>
<rect class="${tone}" x="${label}" y="${y + (row - bar) / 2}" width="${length.toFixed(1)}" height="${bar}" rx="2"/>
<text x="${(label + length + 8).toFixed(1)}" y="${y + row / 2}">${escapeText(text)}</text>`;
  });
  return `<svg class="bars" viewBox="0 0 ${width} ${bars.length * row}" role="img" aria-label="${escapeText(title)}">
${drawn.join('\n')}
</svg>`;
}

// --- style -----------------------------------------------------------------------------------------------------------

/** Colours have a contrast of at least 4.5 on their ground (text) or 3 (bars), in both schemes. */
const STYLE = `
:root{--ground:#fbfaf8;--card:#fff;--ink:#1d1f24;--quiet:#5c626e;--line:#dedbd4;--good:#0a6b3d;--bad:#b3261e;--accent:#3349b8;
--raw:#3349b8;--gzip:#7d8fe0;--brotli:#8a8f9c;--loss:#c2571a;--ours:#0a6b3d}
@media (prefers-color-scheme:dark){:root{--ground:#14161a;--card:#1b1e24;--ink:#e9e8e4;--quiet:#a2a8b4;--line:#343943;--good:#5fd39a;
--bad:#ff8a80;--accent:#a3b3ff;--raw:#8fa2ff;--gzip:#5c6dc4;--brotli:#7f8594;--loss:#f0955a;--ours:#5fd39a}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;background:var(--ground);color:var(--ink);
scroll-behavior:smooth}
body{margin:0 auto;max-width:77rem;padding:2.5rem 1.25rem 5rem}
h1{font-size:clamp(1.7rem,4vw,2.6rem);line-height:1.12;letter-spacing:-.02em;margin:.1em 0 .5em;max-width:22ch}
h2{font-size:1.4rem;letter-spacing:-.01em;margin:0 0 .2em}
section{margin-top:3.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.kicker{color:var(--accent);font-weight:600;margin:0}
.note,figcaption,.quiet{color:var(--quiet)}
.note{margin:0 0 1.5rem;max-width:75ch}
.result{display:flex;gap:.6rem;align-items:flex-start;font-size:1.2rem;font-weight:600;margin:0 0 1.5rem;max-width:60ch}
.result .mark{flex:none;margin-top:.35em}
.good{color:var(--good)}.bad{color:var(--bad)}
.mark{fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round;vertical-align:-.15em}
.languages{display:flex;flex-wrap:wrap;gap:.4rem 2.5rem;margin:0 0 1.5rem}
.languages dt{font-weight:600}.languages dd{margin:0;color:var(--quiet);font-size:.9rem}
nav{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem}
a{color:var(--accent)}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem;margin-bottom:1.5rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.1rem;margin:0;break-inside:avoid}
.scroll{overflow-x:auto;margin-bottom:1.75rem}
table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:0 0 .5rem;color:var(--quiet)}
caption strong,figcaption strong{color:var(--ink);font-size:1.02rem;margin-right:.4em}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{color:var(--quiet);font-size:.85rem;vertical-align:bottom}
tbody th{font-weight:600}
tbody tr:last-child>*{border-bottom-color:transparent}
.number{text-align:right;padding-right:0;padding-left:1rem;white-space:nowrap}
.corner{color:var(--quiet);font-size:.8rem;white-space:nowrap}
.matrix :is(th,td){padding-right:.4rem}.matrix td .mark{margin-right:.2em}
.matrix td,.extra{font-size:.85rem;white-space:nowrap}
.extra{display:flex;gap:1.5rem;margin:.7rem 0 0;color:var(--quiet)}
.extra .mark{margin-right:.3em}
.losses th[scope=row]{width:24rem;min-width:15rem}
.losses ul{margin:0;padding:0;list-style:none}
.losses li{padding:.05rem 0}
code{font:.82rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--quiet);overflow-wrap:anywhere}
figure{margin:0 0 1.75rem}figure.wide{margin-bottom:1.75rem}figcaption{margin-bottom:.6rem;font-size:.92rem}.wide{max-width:50rem}
.bars{width:100%;height:auto;display:block;font-size:13px}
.bars text{fill:var(--ink);dominant-baseline:central;font-variant-numeric:tabular-nums}
.bars .label{text-anchor:end;fill:var(--quiet)}
.raw{fill:var(--raw)}.gzip{fill:var(--gzip)}.brotli{fill:var(--brotli)}.loss{fill:var(--loss)}.ours{fill:var(--ours)}
@media print{html{font-size:11px;background:#fff}body{padding:0;max-width:none}nav{display:none}
section{margin-top:1.5rem;padding-top:.8rem}tr,figure,.card{break-inside:avoid}h2,caption{break-after:avoid}.scroll{overflow:visible}}
`;
