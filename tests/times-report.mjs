/** @typedef {import('./tally.mjs').Tally} Tally */
/**
 * A layer of a run. `seconds` by the clock; `processor` seconds, its own and of all that it started; `starts` of servers,
 * browsers and databases.
 *
 * @typedef {{ name: string, tally: Tally, seconds: number, processor: number, starts: Record<import('./support/starts.mjs').Kind, number> }} Layer
 */
/** A part of a run and its seconds of processor time. @typedef {{ name: string, seconds: number }} Part */

const DEAREST = 20

/** The layer that Vitest runs. */
export const BELOW = 'below the browser'

/**
 * Each layer, and below the browser each folder's tests.
 *
 * @param {readonly Layer[]} layers
 * @returns {Part[]}
 */
export const partsOf = (layers) => [
  ...layers.map(({ name, processor }) => ({ name, seconds: processor })),
  ...projectsOf(layers).map(({ name, seconds }) => ({ name, seconds })),
]

/** Of each folder's tests below the browser: files, tests, seconds of processor time. @param {readonly Layer[]} layers */
export function projectsOf(layers) {
  const files = layers.flatMap(({ name, tally }) => (name === BELOW ? tally.files : []))
  return [...new Set(files.map(({ layer }) => layer))]
    .map((name) => ({ name, own: files.filter(({ layer }) => layer === name) }))
    .map(({ name, own }) => ({
      name,
      count: own.length,
      tests: own.reduce((total, { tests }) => total + tests, 0),
      seconds: own.reduce((total, { processor }) => total + processor, 0),
    }))
    .toSorted((a, b) => b.seconds - a.seconds)
}

/**
 * Minutes of each layer by the clock, its processor seconds, also by what the calibration loop takes in the same run, what it
 * started, and the dearest files.
 *
 * @param {readonly Layer[]} layers
 * @param {number} loop seconds of processor time that the calibration loop takes
 */
export function timesReport(layers, loop) {
  /** @param {number} seconds */
  const processor = (seconds) => `${seconds.toFixed(1).padStart(7)} s ${(seconds / loop).toFixed(1).padStart(6)} loops`
  const dearest = layers
    .flatMap(({ tally }) => tally.files)
    .toSorted((a, b) => b.processor - a.processor)
    .slice(0, DEAREST)
  return [
    `A calibration loop, two million SHA-1 of short strings, takes ${loop.toFixed(2)} s of this machine's processor.`,
    'Each layer by the clock, its processor time, and the servers, browsers and databases that it started:',
    ...layers.map(
      ({ name, seconds, processor: used, starts }) =>
        `${(seconds / 60).toFixed(1).padStart(6)} min ${processor(used)}  ${name}: ${starts.server}, ${starts.browser}, ${starts.database}`,
    ),
    'Processor time below the browser by folder:',
    ...projectsOf(layers).map(({ name, count, seconds }) => `${processor(seconds)}  ${name} (${count} files)`),
    `The ${DEAREST} dearest files by processor time, and their seconds by the clock:`,
    ...dearest.map(
      ({ file, processor: used, seconds }) => `${processor(used)} ${seconds.toFixed(1).padStart(6)} s  ${file}`,
    ),
  ].join('\n')
}
