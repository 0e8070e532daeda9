import { describe, expect, it } from 'vitest'
import type { ChangeView } from '../../../src/db/view'
import type { OpId } from '../../../src/domain/ids'
import { followLayout, IDLE, LAYOUT_SAVE_TEXT } from '../../../src/features/dashboard/layout-save'

const failed = (opId: string): ChangeView => ({
  opId: opId as OpId,
  state: 'failed',
  title: 'Change the layout',
  since: 0,
  attempts: 1,
  canDiscard: true,
  nextTryAt: null,
  problem: 'Error: Could not save your new layout.',
})

describe("the layout's save state", () => {
  it('goes from a change over saving to saved', () => {
    const dirty = followLayout(IDLE, 'dirty', [])
    const saving = followLayout(dirty, 'saving', [])
    const success = followLayout(saving, 'idle', [])
    expect([dirty, saving, success].map(({ state }) => LAYOUT_SAVE_TEXT[state])).toEqual([
      'Unsaved changes',
      'Saving…',
      'Saved',
    ])
  })

  it('goes back to dirty when the request failed', () => {
    const saving = followLayout(IDLE, 'saving', [])
    expect(followLayout(saving, 'dirty', [])).toEqual({ state: 'dirty' })
  })

  it('never calls a refused layout saved, whatever had failed before', () => {
    const saving = followLayout(IDLE, 'saving', [failed('old')])
    expect(followLayout(saving, 'idle', [failed('old')])).toEqual({ state: 'success' })
    expect(followLayout(saving, 'idle', [failed('old'), failed('new')])).toEqual(IDLE)
  })

  it('never calls a discarded layout saved', () => {
    expect(followLayout({ state: 'dirty' }, 'idle', [])).toEqual(IDLE)
  })

  it('stays itself where nothing changes, so that nothing renders', () => {
    for (const layout of ['dirty', 'saving'] as const) {
      const state = followLayout(IDLE, layout, [])
      expect(followLayout(state, layout, [])).toBe(state)
    }
    const success = { state: 'success' } as const
    expect(followLayout(success, 'idle', [])).toBe(success)
    expect(followLayout(success, 'dirty', [])).toEqual({ state: 'dirty' })
  })
})
