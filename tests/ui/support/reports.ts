let unexpected: unknown[] = []
let caught: unknown[] | null = null

/** Has errors that the page reports as uncaught noted for the test that begins. */
export function noteReports(): void {
  unexpected = []
  caught = null
  globalThis.reportError = (error) => void (caught ?? unexpected).push(error)
}

/** Errors that the page has reported although its test expects none. */
export const unexpectedReports = (): readonly unknown[] => unexpected

/** Errors that the page reports from now on, for a test that expects them; any other report fails its test. */
export const catchReports = (): unknown[] => (caught = [])
