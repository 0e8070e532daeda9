import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/**
 * Seconds that a worker spent on one test file, by the clock and of processor time (its own and that of all that it started),
 * and how many tests of it ran.
 *
 * @typedef {{ layer: string, file: string, seconds: number, processor: number, tests: number }} TimedFile
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

/**
 * Of a test file its folder; `ui-logic` for those of tests/ui that need no document; `embedded` for those that run again on the
 * embedded database.
 *
 * @param {string} file relative to the project's root
 * @param {string} project Vitest's
 */
export function layerOf(file, project) {
  const [, folder = file] = file.split('/')
  if (project === 'embedded') return project
  return folder === 'ui' && file.endsWith('.ts') ? 'ui-logic' : folder
}

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
 * @param {string} layer
 * @returns {Tally}
 */
export function playwrightTally(file, exitCode, layer) {
  const report = readReport(file)
  if (report === null) return single(false)
  const { stats, errors, suites } = /** @type {import('playwright/types/testReporter').JSONReport} */ (report)
  const { expected, unexpected, flaky, skipped } = stats
  const failed = exitCode !== 0 && unexpected === 0 ? 1 : unexpected
  const accounts = [
    ...errors.map(({ message = '' }) => account('outside of the tests', message)),
    ...suites.flatMap(suiteAccounts),
  ]
  const files = suites.map((suite) => ({ layer, file: `tests/e2e/${suite.file}`, ...timed(suite) }))
  return { passed: expected + flaky, failed, skipped, again: flaky, accounts, files }
}

/**
 * Of all tries of all tests of a suite. Their processor time is what the fixture `processor` has noted.
 *
 * @param {import('playwright/types/testReporter').JSONReportSuite} suite
 */
function timed(suite) {
  const results = resultsOf(suite)
  const noted = results.flatMap(({ annotations }) => annotations.filter(({ type }) => type === 'processor'))
  return {
    seconds: total(results.map(({ duration }) => duration)) / 1000,
    processor: total(noted.map(({ description }) => Number(description))),
    tests: results.filter(({ status, retry }) => status !== 'skipped' && retry === 0).length,
  }
}

/** @param {import('playwright/types/testReporter').JSONReportSuite} suite @returns {import('playwright/types/testReporter').JSONReportTestResult[]} */
const resultsOf = ({ specs, suites = [] }) => [
  ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results)),
  ...suites.flatMap(resultsOf),
]

/** @param {readonly number[]} values */
const total = (values) => values.reduce((a, b) => a + b, 0)

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
