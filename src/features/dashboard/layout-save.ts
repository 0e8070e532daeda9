import type { ChangeView, LayoutState } from '../../db/view'

/**
 * What the indicator says of the layout. Only a save that was seen under way can succeed: a change that was discarded
 * leaves `dirty` for `idle` without the word "Saved".
 */
export type LayoutSave =
  | { readonly state: 'idle' }
  | { readonly state: 'dirty' }
  /** `refused`: the changes that had failed before this one was sent. */
  | { readonly state: 'saving'; readonly refused: ReadonlySet<string> }
  | { readonly state: 'success' }

/** Milliseconds that "Saved" stands, and after which the state is idle again. */
export const SAVED_SHOWN = 2_000
export const SAVED_ENDS = 2_100

export const IDLE: LayoutSave = { state: 'idle' }

const failedIds = (changes: readonly ChangeView[]): ReadonlySet<string> =>
  new Set(changes.filter((change) => change.state === 'failed').map((change) => change.opId))

/** The next state once the board says `layout`; returns `current` itself where nothing changes. */
export function followLayout(current: LayoutSave, layout: LayoutState, changes: readonly ChangeView[]): LayoutSave {
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

/** What stands on the screen; empty while there is nothing to say. */
export const LAYOUT_SAVE_TEXT: Readonly<Record<LayoutSave['state'], string>> = {
  idle: '',
  dirty: 'Unsaved changes',
  saving: 'Saving…',
  success: 'Saved',
}
