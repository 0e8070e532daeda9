const ends: (() => unknown)[] = []

/** Has something taken down after the test, once its components are unmounted; what came last goes first. */
export const atEnd = (end: () => unknown): void => void ends.push(end)

export async function endTest(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end()
}
