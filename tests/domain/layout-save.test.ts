import { expect, it } from 'vitest'
import { followLayout, IDLE } from '../../src/domain/layout-save'

const failed = (opId: string) => ({ opId, state: 'failed' })

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
