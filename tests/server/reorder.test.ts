/** @module-tag both-engines */
import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import type { Guest } from './support/guest'
import { key } from './support/person'

import { withDatabase, withServer } from './support/for-file'

const COINS = ['ethereum', 'solana', 'cardano', 'ripple', 'dogecoin']
const ACTIVE = 3

const database = withDatabase()
const roomy = withServer({ database })
const server = withServer({ database, env: { FREE_MAX_WIDGETS: String(ACTIVE) } })

/** A guest with five widgets of which three are active; ids in their order. */
async function guestWithFive(): Promise<{ me: Guest; ids: string[] }> {
  const maker = roomy.guest()
  const ids: string[] = []
  for (const coin of COINS) ids.push((await maker.add('bitcoin', coin)).id)
  const me = server.guest(maker.id)
  await me.reorder([])
  return { me, ids }
}

const pick = (ids: readonly string[], places: readonly number[]) => places.map((place) => ids[place] ?? randomUUID())

test.each([
  ['all ids named', [2, 0, 1, 4, 3], [2, 0, 1, 4, 3]],
  ['ids left out go to the end of their group', [1], [1, 0, 2, 3, 4]],
  ['one id of each group', [2, 4], [2, 0, 1, 4, 3]],
  ['unknown ids are ignored', [9, 1, 9], [1, 0, 2, 3, 4]],
  ['an id named twice counts once, at its first place', [2, 0, 2, 1], [2, 0, 1, 3, 4]],
  ['no ids change nothing', [], [0, 1, 2, 3, 4]],
])('a reorder request arranges widgets within their group: %s', async (_name, wanted, expected) => {
  const { me, ids } = await guestWithFive()
  const answer = await me.reorder(pick(ids, wanted))
  expect(answer.status).toBe(200)
  expect(answer.body.map(({ id }) => id)).toEqual(pick(ids, expected))
  expect(answer.body).toEqual(await me.list())
})

test('a reorder request that puts an inactive widget before an active widget is refused with 409, and no widget moves', async () => {
  const { me, ids } = await guestWithFive()
  const before = await me.list()
  const answer = await me.reorder(pick(ids, [3, 0]))
  expect([answer.status, answer.body.error_code]).toEqual([409, 'FORBIDDEN_REORDER_MIX'])
  expect(await me.list()).toEqual(before)
})

test('any reorder request leaves the same widgets, a display order without gaps, and the first three widgets active', async () => {
  const { me, ids } = await guestWithFive()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 10 }), async (wanted) => {
      const before = await me.list()
      const answer = await me.reorder(pick(ids, wanted))
      const after = await me.list()
      expect(after.map(({ display_order, is_active }) => [display_order, is_active])).toEqual(
        COINS.map((_, place) => [place, place < ACTIVE]),
      )
      expect(new Set(after.map(({ id }) => id))).toEqual(new Set(ids))
      if (answer.status !== 200) {
        expect(after).toEqual(before)
        return
      }
      // The active ones that were named stand first, in the order in which they were named.
      const active = new Set<string>(before.filter(({ is_active }) => is_active).map(({ id }) => id))
      const named = [...new Set(pick(ids, wanted))].filter((id) => active.has(id))
      expect(after.slice(0, named.length).map(({ id }) => id)).toEqual(named)
    }),
    { numRuns: 60 },
  )
})

test('an exchange makes an inactive widget active in place of an active widget, which keeps its settings and becomes inactive', async () => {
  const { me, ids } = await guestWithFive()
  expect((await me.update(ids[1]!, { high_threshold: 3, notifications_enabled: true })).status).toBe(200)
  const body = { ordered_ids: pick(ids, [0, 4, 2, 3, 1]), exchange: true }
  const headers = key(randomUUID())
  const answer = await me.ask<readonly Widget[]>('POST', '/widgets/reorder', body, headers)
  expect(answer.status).toBe(200)
  expect(answer.body.map(({ id, is_active }) => [id, is_active])).toEqual(
    pick(ids, [0, 4, 2, 3, 1]).map((id, place) => [id, place < ACTIVE]),
  )
  expect(answer.body.at(-1)).toMatchObject({ id: ids[1], high_threshold: 3, notifications_enabled: true })
  expect((await me.ask('POST', '/widgets/reorder', body, headers)).body).toEqual(answer.body)
  expect(await me.list()).toEqual(answer.body)
})
