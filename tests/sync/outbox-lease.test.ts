import { expect, test } from 'vitest'
import type { LocalDatabase } from '../../src/db/database'
import { MINUTE } from '../../src/domain/granularity'
import { SHORTEST_WAIT } from '../../src/sync/pacing'
import { forgetOutage } from '../../src/sync/outbox-lease'
import { createOf, NOW, testContext } from '../db/support/entries'
import { wiredEnv } from './support/wire'

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

test.each([429, 500, 503])(
  'once the network is back, an entry refused with %i waits out its backoff',
  async (status) => {
    expect(await waitAfterOutage(testContext().db, status, MINUTE)).toBe(3 * MINUTE)
  },
)
