/** A committed change that open streams are told of. A hint: who misses one learns of it by the revisions in the database. */
export type Change =
  /** Widgets or checkpoints of the owner, which are of this revision now. */
  | { readonly kind: 'widgets'; readonly owner: string; readonly revision: number }
  /** The account, its tier or its sessions. */
  | { readonly kind: 'account'; readonly owner: string; readonly revision: number }
  /** A crossing was recorded; `eventId` as in the list of alerts (`alertEventId`). */
  | { readonly kind: 'alert'; readonly owner: string; readonly eventId: string }
  /** Prices were stored. */
  | { readonly kind: 'prices' }
  /** Daily closes of the past year have come of a coin that somebody watches. */
  | { readonly kind: 'closes'; readonly coin: string }

/** Committed changes of this process, published after the commit. */
export interface Changes {
  publish(changes: readonly Change[]): void
  /** @returns ends the subscription */
  subscribe(listener: (changes: readonly Change[]) => void): () => void
}

export function createChanges(): Changes {
  const listeners = new Set<(changes: readonly Change[]) => void>()
  return {
    publish: (changes) => {
      if (changes.length > 0) for (const listener of listeners) listener(changes)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
