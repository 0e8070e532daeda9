import { readFileSync } from 'node:fs'

/**
 * `again`: how many of those that passed did so only at the second try.
 *
 * @typedef {{ passed: number, failed: number, skipped: number, again: number }} Tally
 */

/** One check that is not made of tests. @param {boolean} ok @returns {Tally} */
export const single = (ok) => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, again: 0 })

/** @param {readonly Tally[]} tallies @returns {Tally} */
export const sum = (tallies) =>
  tallies.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
      again: a.again + b.again,
    }),
    { passed: 0, failed: 0, skipped: 0, again: 0 },
  )

/** @param {Tally} tally */
export const line = ({ passed, failed, skipped, again }) =>
  `${passed} passed${again > 0 ? ` (${again} only at the second try)` : ''}, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

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
  return { passed, failed, skipped: numPendingTests + numTodoTests, again: 0 }
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
  const { expected, unexpected, flaky, skipped } = report.stats
  const failed = exitCode !== 0 && unexpected === 0 ? 1 : unexpected
  return { passed: expected + flaky, failed, skipped, again: flaky }
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
