import { readFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/** One check that is not made of tests. @param {boolean} ok @returns {Tally} */
export const single = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 })

/** @param {readonly Tally[]} tallies @returns {Tally} */
export const sum = (tallies) =>
  tallies.reduce(
    (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }),
    { passed: 0, failed: 0, skipped: 0 },
  )

/** @param {Tally} tally */
export const line = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/**
 * What Vitest's JSON report counted. A run that failed without a failed test (a file that does not load, a crashed
 * worker, no report at all) counts as one failure.
 *
 * @param {string} file
 * @param {number} exitCode
 * @returns {Tally}
 */
export function vitestTally(file, exitCode) {
  const report = readReport(file)
  if (report === null) return single(false)
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = report
  const failed = exitCode !== 0 && numFailedTests === 0 ? 1 : numFailedTests
  return { passed, failed, skipped: numPendingTests + numTodoTests }
}

/**
 * As `vitestTally`, of Playwright's JSON report. A test that passed only at a second try counts as failed.
 *
 * @param {string} file
 * @param {number} exitCode
 * @returns {Tally}
 */
export function playwrightTally(file, exitCode) {
  const report = readReport(file)
  if (report === null) return single(false)
  const { expected, unexpected, flaky, skipped } = report.stats
  const failed = unexpected + flaky
  return { passed: expected, failed: exitCode !== 0 && failed === 0 ? 1 : failed, skipped }
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
