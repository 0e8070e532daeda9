import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { reachServer } from '../../server/db/reach'
import { ServerPool } from '../../server/db/server-pool'
import { type CutLine, cutLine } from './support/cut-line'

/* How a process finds PostgreSQL: at its start, among several hosts, and behind a pooler. */

const url = process.env['TEST_DATABASE_URL'] ?? ''

describe.skipIf(url === '')('PostgreSQL', () => {
  let one: CutLine
  let other: CutLine
  beforeAll(async () => {
    ;[one, other] = await Promise.all([cutLine(url), cutLine(url)])
  })
  afterAll(() => Promise.all([one.close(), other.close()]))

  const changed = (change: (url: URL) => void): string => {
    const made = new URL(one.url)
    change(made)
    return made.href
  }

  test.each([
    [
      'a database that is missing',
      () => changed((url) => (url.pathname = '/missing')),
      'Make the database with createdb',
    ],
    [
      'a user that is missing',
      () => changed((url) => (url.username = 'nobody')),
      'Correct user and password in DATABASE_URL',
    ],
    [
      'TLS that the server does not have',
      () => `${one.url}?sslmode=verify-full`,
      'cannot be used: The server does not support SSL',
    ],
  ])(
    'is not waited for where it names %s: the sentence names the variable and the way out',
    async (_what, named, way) => {
      const told = vi.fn()
      const refused = await reachServer(named(), 60_000, told).catch((error: Error) => error.message)
      expect(refused).toMatch(/^DATABASE_URL: PostgreSQL 127\.0\.0\.1:\d+\/\w+ /)
      expect(refused).toContain(way)
      expect(told).not.toHaveBeenCalled()
    },
  )

  test('that starts later than the server is waited for, which is said once, and only for so long', async () => {
    await one.cut()
    const told = vi.fn()
    await expect(reachServer(one.url, 0, told)).rejects.toThrow(
      / cannot be reached \(connect ECONNREFUSED .+Start it, or/,
    )
    told.mockClear()
    const reached = reachServer(one.url, 60_000, told)
    await vi.waitFor(() => expect(told).toHaveBeenCalled())
    await one.mend()
    expect(await reached).toBe(one.url)
    expect(told.mock.calls).toEqual([
      [expect.stringMatching(/^Waiting up to 60 s for PostgreSQL 127\.0\.0\.1:\d+\/postgres: /)],
    ])
  })

  test('of several hosts is used at the one that takes changes, and at the next when that one is gone', async () => {
    const both = one.url.replace(/@([^/]+)/, `@$1,${new URL(other.url).host}`)
    const pool = new ServerPool(both, { max: 3 }, undefined)
    const works = () => vi.waitFor(() => pool.query('SELECT 1'), 10_000)
    await works()
    expect(pool.options).toMatchObject({ connectionString: one.url })
    await one.cut()
    await works()
    expect(pool.options).toMatchObject({ connectionString: other.url })
    await one.mend()
    await other.cut()
    await works()
    expect(pool.options).toMatchObject({ connectionString: one.url })
    await other.mend()
    await pool.end()
  })

  test('that takes no changes is refused as a database out of reach, where changes are asked for', async () => {
    const standby = `${one.url}?target_session_attrs=read-write&options=-c%20default_transaction_read_only%3Don`
    await expect(reachServer(standby, 0)).rejects.toThrow('takes no changes at the moment')
  })

  test.each([
    ['true', 1],
    ['false', 0],
  ])('gets named statements unless the URL says ?prepare=false: %s', async (prepare, expected) => {
    const pool = new ServerPool(`${one.url}?prepare=${prepare}`, { max: 1 }, undefined)
    const named = { name: 'sum', text: 'SELECT $1::int + 1 AS sum', values: [1] }
    const { rows } = await pool.query<{ sum: number }>(named)
    const { rows: statements } = await pool.query(`SELECT name FROM pg_prepared_statements WHERE name = 'sum'`)
    await pool.end()
    expect([rows, statements.length]).toEqual([[{ sum: 2 }], expected])
  })
})
