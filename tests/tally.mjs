import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/**
 * Seconds that a worker spent on one test file, summed over its tests.
 * @typedef {{ layer: string, file: string, seconds: number }} TimedFile
 */
/**
 * `again`: how many of those that passed did so only at the second try. `accounts`: of each test that failed at any try, its
 * name and what was wrong, a few lines each: what a long log is read for.
 *
 * @typedef {{
 *   passed: number, failed: number, skipped: number, again: number,
 *   accounts: readonly string[], files: readonly TimedFile[],
 * }} Tally
 */

const MAX_LINES = 12
/** Lines of a stack that lead through somebody else's code. */
const NOT_OURS = /^\s+at .*(node_modules|node:internal)/

/** One check that is not made of tests. @param {boolean} ok @returns {Tally} */
export const single = (ok) => ({
  passed: ok ? 1 : 0,
  failed: ok ? 0 : 1,
  skipped: 0,
  again: 0,
  accounts: [],
  files: [],
})

/** @param {readonly Tally[]} tallies @returns {Tally} */
export const sum = (tallies) =>
  tallies.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
      again: a.again + b.again,
      accounts: [...a.accounts, ...b.accounts],
      files: [...a.files, ...b.files],
    }),
    { passed: 0, failed: 0, skipped: 0, again: 0, accounts: [], files: [] },
  )

/** @param {Tally} tally */
export const line = ({ passed, failed, skipped, again }) =>
  `${passed} passed${again > 0 ? ` (${again} only at the second try)` : ''}, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * Counts of the reporter in `tally-reporter.mjs`. A run that failed and says nothing of it (a crashed worker, no report at
 * all) counts as one failure.
 *
 * @param {string} file
 * @param {number} exitCode
 * @returns {Tally}
 */
export function vitestTally(file, exitCode) {
  const tally = /** @type {Tally | null} */ (readReport(file))
  if (tally === null) return single(false)
  if (exitCode === 0 || tally.failed > 0) return tally
  return { ...tally, failed: 1, accounts: ['Vitest failed, and its own output above says why'] }
}

/**
 * As `vitestTally`, of Playwright's JSON report. A test that passed at the second try, where there is one, has passed, and
 * is told apart.
 *
 * @param {string} file
 * @param {number} exitCode
 * @returns {Tally}
 */
export function playwrightTally(file, exitCode) {
  const report = readReport(file)
  if (report === null) return single(false)
  const { stats, errors, suites } = /** @type {import('playwright/types/testReporter').JSONReport} */ (report)
  const { expected, unexpected, flaky, skipped } = stats
  const failed = exitCode !== 0 && unexpected === 0 ? 1 : unexpected
  const accounts = [
    ...errors.map(({ message = '' }) => account('outside of the tests', message)),
    ...suites.flatMap(suiteAccounts),
  ]
  const files = suites.map((suite) => ({
    layer: 'end to end',
    file: `tests/e2e/${suite.file}`,
    seconds: secondsOf(suite),
  }))
  return { passed: expected + flaky, failed, skipped, again: flaky, accounts, files }
}

/** Of all tries of all tests of a suite. @param {import('playwright/types/testReporter').JSONReportSuite} suite @returns {number} */
function secondsOf({ specs, suites = [] }) {
  const durations = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration)),
  )
  const own = durations.reduce((total, milliseconds) => total + milliseconds, 0) / 1000
  return suites.reduce((total, suite) => total + secondsOf(suite), own)
}

const SLOWEST = 20

/** Minutes of each layer by the clock, and the files that took longest. @param {readonly { name: string, tally: Tally, seconds: number }[]} layers */
export function timesReport(layers) {
  const minutes = layers.map(({ name, seconds }) => `${(seconds / 60).toFixed(1).padStart(6)} min  ${name}`)
  const files = layers.flatMap(({ tally }) => tally.files)
  const parts = [...new Set(files.map(({ layer }) => layer))]
    .map((layer) => ({ layer, own: files.filter((file) => file.layer === layer).map(({ seconds }) => seconds) }))
    .map(({ layer, own }) => ({ layer, count: own.length, seconds: own.reduce((a, b) => a + b, 0) }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ layer, seconds, count }) => `${(seconds / 60).toFixed(1).padStart(6)} min  ${layer} (${count} files)`)
  const slowest = files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s    ${file}`)
  return [
    'Minutes by the clock:',
    ...minutes,
    'Minutes of all workers together, side by side:',
    ...parts,
    `The ${SLOWEST} slowest files:`,
    ...slowest,
  ].join('\n')
}

/** @param {import('playwright/types/testReporter').JSONReportSuite} suite @returns {string[]} */
function suiteAccounts({ specs, suites = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .flatMap(({ results }) => results)
      .flatMap(({ errors, retry }) =>
        errors.map(({ message }) => account(`${file} › ${title}, try ${retry + 1}`, message)),
      ),
  )
  return [...own, ...suites.flatMap(suiteAccounts)]
}

/** A few lines of what was wrong with a test. @param {string} name @param {string} wrong */
export function account(name, wrong) {
  const lines = stripVTControlCharacters(wrong)
    .split('\n')
    .filter((text) => text.trim() !== '' && !NOT_OURS.test(text))
  return [name, ...lines.slice(0, MAX_LINES).map((text) => `    ${text}`)].join('\n')
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.error(`No test report: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}
