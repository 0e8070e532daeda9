import { expect, it } from 'vitest'
import { type CardEvent, type CardMode, nextMode, VIEW } from '../../../src/features/widget-card/active-body'

const arming: CardMode = { kind: 'arming_checkpoint' }
const editing: CardMode = { kind: 'editing_threshold', side: 'low' }
const clickedHigh: CardEvent = { kind: 'threshold-clicked', side: 'high' }
const editingHigh: CardMode = { kind: 'editing_threshold', side: 'high' }

it.each<[CardMode, CardEvent, CardMode]>([
  [VIEW, { kind: 'checkpoint-clicked' }, arming],
  [VIEW, { kind: 'ratio-saved' }, VIEW],
  [VIEW, clickedHigh, editingHigh],
  [VIEW, { kind: 'threshold-closed' }, VIEW],
  [VIEW, { kind: 'escaped' }, VIEW],
  [arming, { kind: 'checkpoint-clicked' }, VIEW],
  [arming, { kind: 'ratio-saved' }, VIEW],
  [arming, clickedHigh, editingHigh],
  [arming, { kind: 'threshold-closed' }, arming],
  [arming, { kind: 'escaped' }, VIEW],
  [editing, { kind: 'checkpoint-clicked' }, editing],
  [editing, { kind: 'ratio-saved' }, editing],
  [editing, clickedHigh, editing],
  [editing, { kind: 'threshold-closed' }, VIEW],
  [editing, { kind: 'escaped' }, editing],
])('card mode %o after event %o is %o', (mode, event, next) => {
  expect(nextMode(mode, event)).toEqual(next)
})
