import type { createStore } from 'jotai'

/** What failed where nobody waited for it goes to the log; that nothing can be stored any more is for the user, too. */
export const backgroundFailure =
  (store: ReturnType<typeof createStore>) =>
  (error: unknown): void => {
    reportError(error)
    import('./storage-notice').then(({ noteStorage }) => noteStorage(store, error), reportError)
  }
