import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAudiences } from '../../server/services/live/audiences'
import type { Audience, LiveStream } from '../../server/services/live/live-stream'
import { ownerFeed } from '../../server/services/live/owner-feed'
import { withDatabase } from './support/for-file'
import { sentDuring } from './support/sent-statements'

const database = withDatabase()
const run = (text: string, values: readonly unknown[]) => database.pool.query(text, [...values])
const RAISE = `INSERT INTO owner_revisions AS r (owner_id, widgets) VALUES ($1, 1)
  ON CONFLICT (owner_id) DO UPDATE SET widgets = r.widgets + 1`

/** Guests with open streams, a feed that compares one of them in turn, and whom it has told of what. */
async function connected(guests: number) {
  const owners: string[] = []
  const told: (readonly [string, number])[] = []
  const audiences = createAudiences()
  const wire = {
    tellRevisions: (audience: Audience, changed: { readonly widgets: boolean }) =>
      void (changed.widgets && told.push([audience.key, audience.widgets])),
    broadcast: () => undefined,
    end: () => undefined,
  }
  const feed = ownerFeed({ pool: database.pool, audiences, wire, inTurn: 1 })
  for (let guest = 0; guest < guests; guest++) {
    const owner = randomUUID()
    owners.push(owner)
    await run(`INSERT INTO owners (id, kind, anonymous_hash, created_at) VALUES ($1, 'guest', $2, now())`, [
      owner,
      owner,
    ])
    const audience = audiences.enter({ kind: 'guest', anonymousHash: owner })
    audience.streams.add({ audience } as LiveStream)
    await feed.read(audience, null)
  }
  /** A look: of how many callers it has asked. */
  const look = async (): Promise<number> => {
    const { statements } = await sentDuring(database.pool, feed.look)
    const asked = statements.find(({ text }) => text.includes('asked.key'))
    return (asked?.values[0] as readonly string[] | undefined)?.length ?? 0
  }
  return { owners, told, look, feed }
}

test('after the first look one asks of the callers whose revisions have risen, and of one other in its turn', async () => {
  const { owners, told, look } = await connected(20)
  expect(await look()).toBe(20)
  await run(RAISE, [owners[12]])
  await run(RAISE, [owners[15]])
  await run(RAISE, [owners[15]])
  expect(await look()).toBeLessThanOrEqual(3)
  expect(Object.fromEntries(told)).toEqual({ [owners[12]!]: 1, [owners[15]!]: 2 })
  // All that was told is known: nothing has risen. A restored backup brings ids of transactions of another server.
  await run(`ALTER TABLE owner_revisions DISABLE TRIGGER USER`, [])
  await run(`UPDATE owner_revisions SET changed_in = 4000000000000000`, [])
  await run(`ALTER TABLE owner_revisions ENABLE TRIGGER USER`, [])
  expect(await look()).toBe(1)
  // As many changes as there are callers, of others: every caller is asked for, who are fewer.
  for (let one = 0; one <= 20; one++) {
    const owner = randomUUID()
    await run(`INSERT INTO owners (id, kind, anonymous_hash, created_at) VALUES ($1, 'guest', $2, now())`, [
      owner,
      owner,
    ])
    await run(RAISE, [owner])
  }
  expect(await look()).toBe(20)
  expect(told).toHaveLength(2)
})

test('a change that becomes visible after later ones is told at the look that first sees it', async ({ skip }) => {
  skip(database.engine === 'pglite', 'one session: nothing happens beside a transaction')
  const { owners, told, feed } = await connected(5)
  await feed.look()
  const slow = await database.pool.connect()
  try {
    await slow.query('BEGIN')
    await slow.query(RAISE, [owners[4]])
    await run(RAISE, [owners[3]])
    await feed.look()
    expect(told).toEqual([[owners[3], 1]])
    await slow.query('COMMIT')
  } finally {
    slow.release()
  }
  await feed.look()
  expect(told).toEqual([
    [owners[3], 1],
    [owners[4], 1],
  ])
})

test('the callers who are gone are found in their turn', async () => {
  const { owners, told, look } = await connected(3)
  for (const owner of owners) await run(RAISE, [owner])
  await look()
  expect(told).toHaveLength(3)
  await run('DELETE FROM owners WHERE id = $1', [owners[2]])
  for (let turn = 0; turn < 3; turn++) await look()
  expect(told.at(-1)).toEqual([owners[2], 0])
})
