import { expect, test } from 'vitest'
import type { Rule } from '../../src/contract/rules'
import { acceptPull } from '../../src/db/answers/accept-pull'
import { applyOutcome, type Outcome } from '../../src/db/answers/apply-outcome'
import { readEntries } from '../../src/db/board-rows'
import { addRule, changeRule, removeRule } from '../../src/db/commands/rules'
import { retryChange } from '../../src/db/commands/failed-changes'
import { readNotices } from '../../src/db/notices'
import type { RuleId } from '../../src/domain/ids'
import { wireWidget } from '../support/widget-row'
import { NOW } from './support/entries'
import { firstWidget, userContext } from './support/people'
import { begunPull, pulledRows } from './support/pulled'
import { MOVE } from '../support/move-rule'

const WIDGET = wireWidget()
const stored: Rule = {
  id: '00000000-0000-4000-8000-0000000000a1' as RuleId,
  widget_id: WIDGET.id,
  ...MOVE,
  armed: true,
  epoch: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  created_by_op: null,
}

/** A user whose only pair has these rules. */
async function scene(rules: readonly Rule[], isPremium = true) {
  const context = await userContext(isPremium)
  const { db } = context
  const { owner } = (await db.session.get('current'))!
  const pull = async (these: readonly Rule[], revision = 0) =>
    acceptPull(db, begunPull(owner, revision), pulledRows([{ ...WIDGET, rules: [...these] }]), NOW)
  await pull(rules)
  return {
    ...context,
    pull,
    rules: async () => (await firstWidget(context)).serverRules,
    entries: () => readEntries(db, owner),
    async answer(outcome: Outcome) {
      const entry = (await readEntries(db, owner)).find(({ state }) => state === 'waiting')!
      const leased = { ...entry, state: 'leased' as const, lease: 'mine', attempts: entry.attempts + 1 }
      await db.outbox.put(leased)
      await applyOutcome({ db, now: NOW, wait: () => 0 }, leased, outcome)
    },
  }
}

test('a rule that is added offline keeps a later change, and goes by the server’s id once answered', async () => {
  const device = await scene([])
  expect(await addRule(device, WIDGET.id, MOVE)).toMatchObject({ ok: true })
  const [made] = await device.rules()
  expect(made).toMatchObject({ ...MOVE, armed: true, isPending: true })
  await changeRule(device, { widget: WIDGET.id, rule: made!.id }, { armed: false })
  await changeRule(device, { widget: WIDGET.id, rule: made!.id }, { note: 'lunch' })
  const [create, change] = await device.entries()
  expect([create?.kind, change?.payload]).toMatchObject(['rule.create@1', { body: { armed: false, note: 'lunch' } }])
  await device.answer({ kind: 'done', value: { ...stored, created_by_op: create!.op_id } })
  expect(await device.rules()).toMatchObject([{ id: stored.id, armed: false, note: 'lunch', isPending: false }])
  await device.answer({ kind: 'done', value: { ...stored, armed: false, note: 'lunch', epoch: 1 } })
  expect([await device.entries(), await device.rules()]).toMatchObject([[], [{ id: stored.id, note: 'lunch' }]])
})

test('a pull that brings the rule of an unanswered create ends the create', async () => {
  const device = await scene([])
  await addRule(device, WIDGET.id, MOVE)
  const [create] = await device.entries()
  await device.pull([{ ...stored, created_by_op: create!.op_id }], 1)
  expect([await device.entries(), await device.rules()]).toMatchObject([[], [{ id: stored.id, isPending: false }]])
})

test('a removal and the unsent create of a rule cancel out; of a stored rule the removal is sent, and already gone is done', async () => {
  const device = await scene([stored])
  await addRule(device, WIDGET.id, { ...MOVE, level: 7 })
  const made = (await device.rules()).find(({ level }) => level === 7)!
  await removeRule(device, { widget: WIDGET.id, rule: made.id })
  expect([await device.entries(), (await device.rules()).length]).toEqual([[], 1])
  await removeRule(device, { widget: WIDGET.id, rule: stored.id })
  expect([(await device.entries()).length, await device.rules()]).toEqual([1, []])
  await device.answer({ kind: 'already', error: { status: 404, error_code: 'NOT_FOUND', message: 'Gone.' } })
  expect([await device.entries(), await device.rules()]).toEqual([[], []])
})

test.each<[string, boolean, Parameters<typeof addRule>[2], string]>([
  ['equal', true, MOVE, 'This pair has such an alert already.'],
  [
    'beyond the one of a free board',
    false,
    { ...MOVE, level: 6 },
    'Without Premium a board can have one alert beside its thresholds.',
  ],
])('a rule that is %s is refused at once', async (_which, isPremium, body, message) => {
  const device = await scene([stored], isPremium)
  expect(await addRule(device, WIDGET.id, body)).toEqual({ ok: false, message })
  expect(await device.entries()).toEqual([])
})

test('a refused rule leaves the board with the server’s words, and can be tried again', async () => {
  const device = await scene([])
  await addRule(device, WIDGET.id, MOVE)
  const [create] = await device.entries()
  const error = { status: 403, error_code: 'RULE_LIMIT_REACHED', message: 'There is no room.' } as const
  await device.answer({ kind: 'refused', error })
  expect([await device.rules(), (await readNotices(device.db)).map(({ message }) => message)]).toEqual([
    [],
    ['Failed to add an alert of BTC/ETH: There is no room.'],
  ])
  await retryChange(device, create!.op_id)
  expect(await device.rules()).toMatchObject([MOVE])
})
