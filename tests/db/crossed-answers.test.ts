import { expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { acceptPull } from '../../src/db/answers/accept-pull'
import { applyOutcome } from '../../src/db/answers/apply-outcome'
import { replaceWidgetRows } from '../../src/db/board-rows'
import type { OutboxEntry } from '../../src/db/outbox-entry'
import type { OwnerId } from '../../src/domain/ids'
import { createOf, entryOf, NOW, OWNER, testContext, uuid, widgetNumber } from './support/entries'

const row = (n: number, high_threshold: number | null = null) => widgetNumber(n, { high_threshold })
const idOf = (n: number) => row(n).id
const leased = { state: 'leased', lease: 'l1', attempts: 1 } as const
const update = entryOf(1, 'widget.update@1', { widget: idOf(7), body: { high_threshold: 8 } }, leased)
const order = entryOf(1, 'layout.reorder@1', { ordered_ids: [2, 1, 0].map(idOf) }, leased)

/** The rows before, the only entry of the outbox, the answer to it or the list of a pull, and the rows afterwards. */
type Crossing = readonly [
  title: string,
  before: readonly Widget[],
  entry: OutboxEntry,
  brought: { readonly answer: unknown } | { readonly list: readonly Widget[] },
  after: readonly (readonly [id: string, high: number | null])[],
]

test.each<Crossing>([
  [
    'the answer to an order moves rows, removes none that it does not name, and changes none',
    [row(0, 5), row(1), row(2)],
    order,
    { answer: [row(2), row(0, 3)] },
    [
      [idOf(2), null],
      [idOf(0), 5],
      [idOf(1), null],
    ],
  ],
  ['the answer to an update brings back no row that was removed meanwhile', [], update, { answer: row(7, 8) }, []],
  [
    'the answer to a create takes the place of a row of its pair that was made elsewhere',
    [row(7)],
    createOf(1, 7, leased),
    { answer: { ...row(7), id: uuid(9) } },
    [[uuid(9), null]],
  ],
  [
    'the answer to a create of a user who has left brings no row back',
    [],
    createOf(1, 7, { ...leased, owner: uuid(5) as OwnerId }),
    { answer: row(7) },
    [],
  ],
  [
    'a list with the row of a create that was refused on the way ends that create',
    [],
    createOf(1, 7, { state: 'failed', failed_at: NOW, attempts: 1 }),
    { list: [{ ...row(7), created_by_op: createOf(1, 7).op_id }] },
    [[idOf(7), null]],
  ],
  [
    'a list with a pair made elsewhere ends the create of that pair which still waits',
    [],
    createOf(1, 7),
    { list: [row(7)] },
    [[idOf(7), null]],
  ],
])('%s', async (_, before, entry, brought, after) => {
  const { db } = testContext()
  await db.session.put({ key: 'current', owner: OWNER, tokens: null, user: null, anonymous_id: OWNER })
  await replaceWidgetRows(db, OWNER, before)
  await db.outbox.add(entry)
  if ('answer' in brought) {
    await applyOutcome({ db, now: NOW, wait: () => 0 }, entry, { kind: 'done', value: brought.answer })
  } else {
    const pulled = { widgets: brought.list, listRevision: null }
    expect(await acceptPull(db, { owner: OWNER, revision: 0, told: null }, pulled, NOW)).toBe(true)
  }
  const rows = await db.widgets.toCollection().sortBy('display_order')
  expect(rows.map(({ id, high_threshold }) => [id, high_threshold])).toEqual(after)
  expect(await db.outbox.count()).toBe(0)
})
