// The plots: ratios with their intervals, size against time, and the cost of an object by the size of the batch.

import * as Plot from '@observablehq/plot';
import { contestantOf, digits, duration, isOurs, size } from './model.mjs';

/** @typedef {import('./model.mjs').Row} Row */
/** @typedef {import('./model.mjs').Choice} Choice */

const COLORS = { domain: ['faster', 'tied', 'slower'], range: ['var(--faster)', 'var(--tied)', 'var(--slower)'] };

/**
 * Points whose labels would lie on each other share one.
 *
 * @template {{name: string, time: number}} T
 * @param {T[]} points
 * @param {(point: T) => number} across
 * @returns {T[]}
 */
function labelled(points, across) {
  /** @type {T[]} */
  const labels = [];
  /** @param {number} a @param {number} b */
  const near = (a, b) => Math.abs(Math.log(a / b)) < 0.06;
  for (const point of points) {
    const at = labels.findIndex((other) => near(other.time, point.time) && near(across(other), across(point)));
    const other = labels[at];
    if (other === undefined) labels.push(point);
    else labels[at] = { ...other, name: `${other.name}, ${point.name}` };
  }
  return labels;
}

/** What all plots have. @param {number} width */
export const common = (width) => ({
  width,
  marginBottom: 48,
  style: { background: 'none', color: 'inherit', fontSize: '13px', overflow: 'visible' },
});

/**
 * How many times the baseline each takes: a dot, and a line for its interval.
 *
 * @param {Row[]} rows
 * @param {Choice} choice
 * @param {string} baseline
 * @param {number} width
 */
export function ratios(rows, choice, baseline, width) {
  const data = rows.flatMap(({ contestant, ratio, verdict, cell }) =>
    ratio === undefined || cell.time === undefined
      ? []
      : [
          {
            name: contestant.name,
            ...ratio,
            verdict,
            ours: isOurs(contestant),
            title: `${contestant.name} ${contestant.version}\n${digits(ratio.median)} times ${baseline} (${digits(ratio.low)}–${digits(ratio.high)})\n${duration(cell.time.median)}, ${size(cell.bytes)}`,
          },
        ],
  );
  return Plot.plot({
    ...common(width),
    marginLeft: Math.min(150, width * 0.36),
    marginRight: 60,
    height: 60 + 26 * data.length,
    ariaLabel: `Time of each contestant, times ${baseline}. The table below has the same numbers.`,
    x: {
      type: choice.log ? 'log' : 'linear',
      label: `times ${baseline} (less is better) →`,
      grid: true,
      tickFormat: (value) => String(value),
      ticks: width < 500 ? 4 : 8,
    },
    y: { label: null, domain: data.map(({ name }) => name) },
    color: { ...COLORS, legend: false },
    marks: [
      Plot.ruleX([1], { stroke: 'currentColor', strokeDasharray: '3 3' }),
      Plot.ruleY(data, { y: 'name', x1: 'low', x2: 'high', stroke: 'verdict', strokeWidth: 3 }),
      Plot.dot(data, {
        y: 'name',
        x: 'median',
        fill: 'verdict',
        r: 5,
        symbol: (/** @type {{ours: boolean}} */ row) => (row.ours ? 'star' : 'circle'),
        stroke: 'var(--page)',
        tip: { fill: 'var(--card)' },
        title: 'title',
      }),
      Plot.text(data, {
        y: 'name',
        x: 'high',
        text: (row) => `${digits(row.median)}×`,
        textAnchor: 'start',
        dx: 9,
        fill: 'currentColor',
      }),
    ],
  });
}

/**
 * Bytes against time: what lies left and below is better in both.
 *
 * @param {Row[]} rows
 * @param {Choice} choice
 * @param {number} width
 */
export function scatter(rows, choice, width) {
  const data = rows.flatMap(({ contestant, cell, verdict }) =>
    cell.time === undefined || typeof cell.bytes !== 'number'
      ? []
      : [
          {
            name: contestant.name,
            bytes: cell.bytes / cell.count,
            time: cell.time.median / 1e3 / cell.count,
            verdict,
            ours: isOurs(contestant),
          },
        ],
  );
  return Plot.plot({
    ...common(width),
    height: Math.min(440, Math.max(300, width * 0.6)),
    marginLeft: 60,
    marginRight: 90,
    ariaLabel: 'Bytes and time of an object. The table below has the same numbers.',
    x: {
      type: choice.log ? 'log' : 'linear',
      label: 'bytes of an object →',
      grid: true,
      nice: true,
      tickFormat: (value) => String(value),
      ticks: 5,
    },
    y: {
      type: choice.log ? 'log' : 'linear',
      label: '↑ µs for an object',
      grid: true,
      nice: true,
      tickFormat: (value) => String(value),
      ticks: 5,
    },
    color: COLORS,
    marks: [
      Plot.dot(data, {
        x: 'bytes',
        y: 'time',
        fill: 'verdict',
        r: 5,
        symbol: (/** @type {{ours: boolean}} */ row) => (row.ours ? 'star' : 'circle'),
        title: (row) => `${row.name}\n${digits(row.bytes)} B\n${digits(row.time)} µs`,
        tip: { fill: 'var(--card)' },
      }),
      Plot.text(
        labelled(data, ({ bytes }) => bytes),
        { x: 'bytes', y: 'time', text: 'name', textAnchor: 'start', dx: 9, fill: 'currentColor' },
      ),
    ],
  });
}

/**
 * The cost of an object by the size of the batch.
 *
 * @param {import('./model.mjs').Result} result
 * @param {Choice} choice
 * @param {number} width
 */
export function curves(result, choice, width) {
  const data = result.cells
    .filter(
      (cell) => cell.scenario === choice.scenario && cell.operation === choice.operation && cell.time !== undefined,
    )
    .map((cell) => ({
      contestant: contestantOf(result, cell.contestant),
      count: cell.count,
      time: (cell.time?.median ?? 0) / 1e3 / cell.count,
    }))
    .filter(
      ({ contestant }) => choice.languages.includes(contestant.language) && choice.kinds.includes(contestant.kind),
    )
    .map(({ contestant, ...rest }) => ({ ...rest, name: contestant.name, ours: isOurs(contestant) }));
  const most = Math.max(...data.map(({ count }) => count));
  if (new Set(data.map(({ count }) => count)).size < 2) return undefined;
  return Plot.plot({
    ...common(width),
    height: Math.min(460, Math.max(320, width * 0.6)),
    marginLeft: 60,
    marginRight: 120,
    ariaLabel: 'Time of an object by the number of objects in a batch.',
    x: {
      type: 'log',
      label: 'objects in a batch →',
      grid: true,
      ticks: [...new Set(data.map(({ count }) => count))],
      tickFormat: (value) => String(value),
    },
    y: {
      type: choice.log ? 'log' : 'linear',
      label: '↑ µs for an object',
      grid: true,
      tickFormat: (value) => String(value),
      ticks: 5,
    },
    marks: [
      Plot.line(data, {
        x: 'count',
        y: 'time',
        z: 'name',
        sort: 'count',
        stroke: (row) => (row.ours ? 'var(--ours)' : 'currentColor'),
        strokeOpacity: (row) => (row.ours ? 1 : 0.45),
        strokeWidth: 2,
      }),
      Plot.dot(data, {
        x: 'count',
        y: 'time',
        fill: (row) => (row.ours ? 'var(--ours)' : 'currentColor'),
        title: (row) => `${row.name}\n${row.count} objects\n${digits(row.time)} µs each`,
        tip: { fill: 'var(--card)' },
      }),
      Plot.text(
        labelled(
          data.filter(({ count }) => count === most),
          () => 1,
        ),
        { x: 'count', y: 'time', text: 'name', textAnchor: 'start', dx: 8, fill: 'currentColor' },
      ),
    ],
  });
}
