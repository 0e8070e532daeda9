import { describe, expect, it } from 'vitest'
import type { ChangeView } from '../../../src/db/view'
import type { OpId } from '../../../src/domain/ids'
import { followLayout, IDLE, LAYOUT_SAVE_TEXT } from '../../../src/features/dashboard/layout-save-status'

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

describe('layout save state', () => {
  it('the layout save state goes from unsaved changes over saving to saved', () => {
    const dirty = followLayout(IDLE, 'dirty', [])
    const saving = followLayout(dirty, 'saving', [])
    const success = followLayout(saving, 'idle', [])
    expect([dirty, saving, success].map(({ state }) => LAYOUT_SAVE_TEXT[state])).toEqual([
      'Unsaved changes',
      'Saving…',
      'Saved',
    ])
  })

  it('the layout save state goes back to unsaved changes when the request failed', () => {
    const saving = followLayout(IDLE, 'saving', [])
    expect(followLayout(saving, 'dirty', [])).toEqual({ state: 'dirty' })
  })

  it('a layout save ends as saved beside an older failed change, but not when another change has failed since', () => {
    const saving = followLayout(IDLE, 'saving', [failed('old')])
    expect(followLayout(saving, 'idle', [failed('old')])).toEqual({ state: 'success' })
    expect(followLayout(saving, 'idle', [failed('old'), failed('new')])).toEqual(IDLE)
  })

  it('a layout change that was discarded is never called saved', () => {
    expect(followLayout({ state: 'dirty' }, 'idle', [])).toEqual(IDLE)
  })

  it('the layout save state stays the same object where nothing changes, so that nothing renders', () => {
    for (const layout of ['dirty', 'saving'] as const) {
      const state = followLayout(IDLE, layout, [])
      expect(followLayout(state, layout, [])).toBe(state)
    }
    const success = { state: 'success' } as const
    expect(followLayout(success, 'idle', [])).toBe(success)
    expect(followLayout(success, 'dirty', [])).toEqual({ state: 'dirty' })
  })
})
