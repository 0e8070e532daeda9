import { expect, test } from 'vitest'
import { changeTurns } from '../../server/db/change-turns'
import { isOutOfReach } from '../../server/db/out-of-reach'
import { withServer } from './support/for-file'
import { newGuest } from './support/guest'

const server = withServer()

test('a burst of requests from one address keeps another address waiting for some of them, not for all', async () => {
  const answered: string[] = []
  const ask = async (remoteAddress: string) => {
    const headers = { 'x-anonymous-user-id': newGuest() }
    await server.app.inject({ url: '/api/v1/widgets', headers, remoteAddress })
    answered.push(remoteAddress)
  }
  await Promise.all([...Array.from({ length: 100 }, () => ask('192.0.2.1')), ask('198.51.100.1')])
  expect(answered).toHaveLength(101)
  expect(answered.indexOf('198.51.100.1')).toBeLessThan(50)
})

test('a change that gets no turn in time is refused as by a database out of reach, leaves the line, and the next gets its turn', async () => {
  const turns = changeTurns(1, 20)
  let end = (): void => undefined
  const first = turns.run(() => new Promise<void>((resolve) => (end = resolve)))
  const late = await turns.run(async () => 'done').catch((error: unknown) => error)
  expect([isOutOfReach(late), turns.waiting()]).toEqual([true, 0])
  const next = turns.run(async () => 'done')
  expect(turns.waiting()).toBe(1)
  end()
  await first
  expect(await next).toBe('done')
})
