import { expect, test } from 'vitest'
import { killRounds } from '../server/support/kill-rounds'
import { seeded } from '../server/support/seeded'
import { emptyDatabase, emptyFolder, type TestStorage } from '../server/support/test-storage'

/** Twenty times: guests and users make up to 5,000 writes, and somewhere among them the built server is killed. */
const ROUNDS = 20
const WRITES = 5_000
/** A server on an existing database is ready in less than this, milliseconds. */
const RESTART = 5_000

const url = process.env['TEST_DATABASE_URL'] ?? ''
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

async function loseNothing(storage: TestStorage): Promise<void> {
  try {
    const { report, server } = await killRounds({
      variables: storage.variables,
      rounds: ROUNDS,
      writes: WRITES,
      random: seeded(seed),
    })
    await server.end('SIGTERM')
    console.log(`seed ${seed}: ${JSON.stringify(report)}`)
    expect(report.lost).toEqual([])
    expect(report.kills).toBe(ROUNDS)
    expect(report.acknowledged).toBeGreaterThanOrEqual(5_000)
    expect(report.slowestRestart).toBeLessThan(RESTART)
  } finally {
    await storage.remove()
  }
}

test('on PGlite, kill -9 of the server loses no acknowledged write', () => loseNothing(emptyFolder()))

test.skipIf(url === '')('on PostgreSQL, kill -9 of the server loses no acknowledged write', async () =>
  loseNothing(await emptyDatabase(url)),
)
