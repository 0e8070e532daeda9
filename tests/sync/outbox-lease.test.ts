import { expect, test } from 'vitest'
import type { LocalDatabase } from '../../src/db/database'
import { MINUTE } from '../../src/domain/granularity'
import { SHORTEST_WAIT } from '../../src/sync/pacing'
import type { WidgetId } from '../../src/domain/ids'
import { forgetOutage, leaseNext, takeOverLeases } from '../../src/sync/outbox-lease'
import { createOf, entryOf, NOW, OWNER, testContext, widgetNumber } from '../db/support/entries'
import { wiredEnv } from './support/wire'

async function guestContext() {
  const context = testContext()
  await context.db.session.put({ key: 'current', owner: OWNER, tokens: null, user: null, anonymous_id: OWNER })
  return context
}

/** How long the only entry still waits once the network is back, after an attempt `ago` that the server answered so. */
async function waitAfterOutage(db: LocalDatabase, status: number, ago: number): Promise<number> {
  const last_error = { status, error_code: null, message: 'No.' }
  const tried = { attempts: 1, failures: 1, not_before: NOW + 3 * MINUTE, leased_since: NOW - ago, last_error }
  await db.outbox.put(createOf(1, 1, tried))
  await forgetOutage(wiredEnv(db, {}), SHORTEST_WAIT)
  return (await db.outbox.get(1))!.not_before - NOW
}

test('once the network is back, an entry that could not reach the server waits no longer than the shortest wait', async () => {
  const { db } = testContext()
  expect(await waitAfterOutage(db, 0, MINUTE)).toBe(SHORTEST_WAIT - MINUTE)
  expect(await waitAfterOutage(db, 0, 500)).toBe(SHORTEST_WAIT - 500)
})

test.each([429, 500, 503])('with the network back, an entry refused with %i waits out its backoff', async (status) => {
  expect(await waitAfterOutage(testContext().db, status, MINUTE)).toBe(3 * MINUTE)
})

test('a request counts as sent from its lease on, also when the context that sent it has died', async () => {
  const { db } = await guestContext()
  await db.outbox.put(createOf(1, 1))
  const env = wiredEnv(db, {})
  await leaseNext(env)
  await takeOverLeases(env)
  expect(await db.outbox.get(1)).toMatchObject({ state: 'waiting', attempts: 1 })
})

test('an order that goes past an unmade pair does not name it, in the request nor in the outbox', async () => {
  const { db } = await guestContext()
  const [pair, unmade] = [widgetNumber(2).id, 'temp-1' as WidgetId]
  await db.outbox.bulkPut([
    createOf(1, 1, { passable: true, attempts: 1, not_before: NOW + MINUTE }),
    entryOf(2, 'layout.reorder@1', { ordered_ids: [unmade, pair] }),
  ])
  const sent = await leaseNext(wiredEnv(db, {}))
  expect(sent).toMatchObject({ entry: { seq: 2, payload: { ordered_ids: [pair] } } })
  expect(sent!.request.body).toEqual({ ordered_ids: [pair] })
  expect(await db.outbox.get(2)).toEqual(sent!.entry)
})
