import { expect, test } from 'vitest'
import { killRounds } from './support/kill-rounds'
import { seeded } from './support/seeded'
import { emptyDatabase, readyFolder } from './support/test-storage'

const url = process.env['TEST_DATABASE_URL'] ?? ''

/** A small share of tests/bars/server-kill.bars.ts. */
test(`no acknowledged write of guests and users is lost when the server is killed with kill -9 (${url === '' ? 'PGlite' : 'PostgreSQL'})`, async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  const storage = url === '' ? await readyFolder() : await emptyDatabase(url)
  const report = await killRounds({ variables: storage.variables, rounds: 2, writes: 200, random: seeded(seed) })
  await storage.remove()
  console.log(`seed ${seed}: ${JSON.stringify(report)}`)
  expect(report.lost).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(0)
}, 120_000)
