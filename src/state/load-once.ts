/**
 * Loads at the first call, once for all; after a failed load the next call tries again, when the network may be back. Code
 * that is here is answered within the task: `import` answers in a later one even then.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
