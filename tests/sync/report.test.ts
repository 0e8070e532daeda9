import { expect, test } from 'vitest'
import { ensureIdentity } from '../../src/db/identity'
import type { Topic } from '../../src/db/rows'
import { readNotices } from '../../src/db/notices'
import { report } from '../../src/sync/report'
import { testContext } from '../db/support/entries'
import { wiredEnv } from './support/wire'

test('of two topics that fail by turns, each problem is told once, and again after it was over', async () => {
  const context = testContext()
  await ensureIdentity(context, new Uint8Array(24))
  const env = wiredEnv(context.db, {})
  const fail = (topic: Topic, sentence: string) => report(env, topic, { kind: 'failed', status: 500, sentence })
  const told = async () => (await readNotices(context.db)).map(({ message }) => message)
  for (let round = 0; round < 3; round++) {
    await fail('coins', 'No coins.')
    await fail('prices', 'No prices.')
  }
  expect(await told()).toEqual(['No coins.', 'No prices.'])
  await report(env, 'coins', { kind: 'ok' })
  await fail('coins', 'No coins.')
  expect(await told()).toEqual(['No coins.', 'No prices.', 'No coins.'])
})
