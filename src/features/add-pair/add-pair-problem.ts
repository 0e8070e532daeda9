/** What Dexie calls it when the local database cannot be reached at all. */
const UNREACHABLE = new Set(['DatabaseClosedError', 'OpenFailedError', 'MissingAPIError', 'VersionError'])

/** What is said when a pair could not be stored on this device: why, where that is known. */
export function addPairProblem(error: unknown): string {
  if (error instanceof Error) {
    if (UNREACHABLE.has(error.name)) return 'Cannot add pair right now. Please try again from the dashboard.'
    if (error.message !== '') return error.message
  }
  return 'Failed to add pair. It might already exist.'
}
