/** A mutation in the outbox. */
interface Change {
  readonly opId: string
  readonly state: string
}

/**
 * State of the layout's indicator. Only a save that was under way can succeed: a discarded change leads from `dirty` to
 * `idle` without the word "Saved".
 */
export type LayoutSave =
  | { readonly state: 'idle' | 'dirty' | 'success' }
  /** `refused`: the changes that had failed before this one was sent. */
  | { readonly state: 'saving'; readonly refused: ReadonlySet<string> }

export const IDLE: LayoutSave = { state: 'idle' }

const failedIds = (changes: readonly Change[]): ReadonlySet<string> =>
  new Set(changes.filter((change) => change.state === 'failed').map((change) => change.opId))

/** The next state once the board says `layout`; returns `current` itself where nothing changes. */
export function followLayout(
  current: LayoutSave,
  layout: 'idle' | 'dirty' | 'saving',
  changes: readonly Change[],
): LayoutSave {
  switch (layout) {
    case 'dirty':
      return current.state === 'dirty' ? current : { state: 'dirty' }
    case 'saving':
      return current.state === 'saving' ? current : { state: 'saving', refused: failedIds(changes) }
    case 'idle':
      if (current.state === 'success') return current
      if (current.state === 'saving') {
        const { refused } = current
        const refusedNow = [...failedIds(changes)].some((opId) => !refused.has(opId))
        return refusedNow ? IDLE : { state: 'success' }
      }
      return current.state === 'idle' ? current : IDLE
  }
}
