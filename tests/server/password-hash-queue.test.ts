import { expect, test } from 'vitest'
import { withRequestOrigin } from '../../server/http/addresses'
import { passwordHashQueue } from '../../server/services/accounts/password-hash-queue'
import { TooManyAttempts } from '../../server/http/api-error'
import { testApp } from './support/test-app'

/** Work that ends when it is told to. */
function open() {
  const ends: (() => void)[] = []
  let [underWay, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, (underWay += 1))
    await new Promise<void>((resolve) => ends.push(resolve))
    underWay -= 1
  }
  return { work, end: () => ends.shift()?.(), most: () => most }
}
const aMoment = () => new Promise<void>((resolve) => setImmediate(resolve))

test('the password hash queue runs two hashes at once, queues a hundred in order, and refuses the next one', async () => {
  const { work, end, most } = open()
  const done: number[] = []
  const all = Array.from({ length: 102 }, async (_, i) => {
    await passwordHashQueue(work)
    done.push(i)
  })
  await expect(passwordHashQueue(work)).rejects.toBeInstanceOf(TooManyAttempts)
  while (done.length < 102) {
    end()
    await aMoment()
  }
  await Promise.all(all)
  expect(most()).toBe(2)
  expect(done).toEqual(Array.from({ length: 102 }, (_, i) => i))
})

test('a failed password hash frees its place in the queue, so that two hashes run at once again', async () => {
  const fail = () => Promise.reject(new Error('no memory'))
  for (let i = 0; i < 5; i++) await expect(passwordHashQueue(fail)).rejects.toThrow('no memory')
  const { work, end, most } = open()
  const both = [passwordHashQueue(work), passwordHashQueue(work)]
  await aMoment()
  expect(most()).toBe(2)
  end()
  end()
  await Promise.all(both)
})

/** Work of a request from `ip`: pushes its name when it ran, or `refused <name>`. */
function requests() {
  const { work, end } = open()
  const log: string[] = []
  const ask = (ip: string, name = ip) =>
    withRequestOrigin({ ip, headers: {} }, 1, () => passwordHashQueue(work)).then(
      () => log.push(name),
      (error: unknown) => log.push(`${error instanceof TooManyAttempts ? 'refused' : 'failed'} ${name}`),
    )
  const endAll = async (all: readonly Promise<unknown>[]) => {
    const left = new Set(all)
    for (const one of all) void one.then(() => left.delete(one))
    while (left.size > 0) {
      end()
      await aMoment()
    }
  }
  return { ask, endAll, log }
}

test('eighty addresses of one IPv6 /48 fill no more than their share of the password hash queue, and another network is served next', async () => {
  const { ask, endAll, log } = requests()
  const flood = Array.from({ length: 80 }, (_, i) => ask(`2001:db8:1:${i}::1`, 'flood'))
  const owner = ask('203.0.113.5', 'owner')
  await endAll([...flood, owner])
  expect(log.filter((line) => line === 'refused flood')).toHaveLength(80 - 2 - 20)
  const served = log.filter((line) => !line.startsWith('refused'))
  // Two were under way; of those that waited, one of the flood had its turn before.
  expect(served.indexOf('owner')).toBe(3)
})

test('one address has at most eight password hashes waiting, and the other addresses of its network still get in', async () => {
  const { ask, endAll, log } = requests()
  const busy = Array.from({ length: 12 }, () => ask('2001:db8:1:1::1', 'busy'))
  const neighbour = ask('2001:db8:1:2::1', 'neighbour')
  await endAll([...busy, neighbour])
  expect(log.filter((line) => line === 'refused busy')).toHaveLength(2)
  expect(log).toContain('neighbour')
})

test('a full password hash queue takes the first request of another network, and refuses the newest of the network with most', async () => {
  const { ask, endAll, log } = requests()
  const first = [ask('192.0.2.1', 'under way'), ask('192.0.2.2', 'under way')]
  // Five networks of 20: a hundred wait.
  const flood = Array.from({ length: 100 }, (_, i) => ask(`2001:db8:${Math.floor(i / 20)}:${i}::1`, `flood ${i}`))
  const owner = ask('203.0.113.5', 'owner')
  await endAll([...first, ...flood, owner])
  expect(log.filter((line) => line.startsWith('refused'))).toEqual(['refused flood 19'])
  expect(log).toContain('owner')
})

test('a request of a registered user is hashed in the turn of its own address', async () => {
  const { ask, endAll, log } = requests()
  const server = await testApp()
  // Both turns and all of its own address's places are taken.
  const busy = Array.from({ length: 10 }, () => ask('198.51.100.44', 'busy'))
  const logIn = (remoteAddress: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      remoteAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'username=nobody%40example.com&password=some+password',
    })
  expect((await logIn('198.51.100.44')).statusCode).toBe(429)
  const other = logIn('198.51.100.45')
  await endAll(busy)
  expect((await other).statusCode).toBe(401)
  expect(log.filter((line) => line === 'busy')).toHaveLength(10)
  await server.close()
})
