import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Widget } from '../../src/contract/widget'
import { seedUsers, type SeededUser } from './support/seed-users'
import { startServer } from './support/server-process'
import { readyFolder, type TestStorage } from './support/test-storage'

/** The built server as a process, with the secret that it keeps in its folder. */
let storage: TestStorage
let people: SeededUser[]
beforeAll(async () => {
  storage = await readyFolder()
  people = await seedUsers({ dataDir: storage.variables['DATA_DIR']! }, [{ premium: false }, { premium: true }])
})
afterAll(() => storage.remove())

const headers = ({ accessToken }: SeededUser) => ({ authorization: `Bearer ${accessToken}` })

async function activity(url: string, person: SeededUser): Promise<boolean[]> {
  const answer = await fetch(`${url}/api/v1/widgets`, { headers: headers(person) })
  return ((await answer.json()) as Widget[]).map(({ is_active }) => is_active)
}

test('access tokens stay valid over a server restart, and changed widget limits apply from the start of the new process', async () => {
  const first = await startServer(storage.variables)
  for (const person of people) {
    for (const coin_b_id of ['ethereum', 'solana', 'tether']) {
      const made = await fetch(`${first.url}/api/v1/widgets`, {
        method: 'POST',
        headers: { ...headers(person), 'content-type': 'application/json' },
        body: JSON.stringify({ coin_a_id: 'bitcoin', coin_b_id }),
      })
      expect(made.status).toBe(201)
    }
  }
  expect(await first.end('SIGTERM')).toEqual({ code: 0 })

  const second = await startServer({ ...storage.variables, FREE_MAX_WIDGETS: '1', PREMIUM_MAX_WIDGETS: '2' })
  try {
    expect(await activity(second.url, people[0]!)).toEqual([true, false, false])
    expect(await activity(second.url, people[1]!)).toEqual([true, true, false])
  } finally {
    await second.end('SIGTERM')
  }
})
