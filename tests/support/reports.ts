import { vi } from 'vitest'

/**
 * Collects what is given to `reportError` from now on, for the test to find empty. Thrown there it would be nobody's: what is
 * still under way when a test tears its database down reports that too, in the middle of the next test.
 */
export function collectReports() {
  const reports: unknown[] = []
  const report = (error: unknown): void => void reports.push(error)
  vi.stubGlobal('reportError', report)
  return { reports, report }
}
