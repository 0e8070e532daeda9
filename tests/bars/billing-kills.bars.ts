import { expect, test } from 'vitest'
import { billingKills } from '../server/support/billing-kills'
import { sandboxKills } from '../server/support/sandbox-kills'
import { seeded } from '../server/support/seeded'
import { emptyDatabase, emptyFolder, type TestStorage } from '../server/support/test-storage'

/** Twelve people buy, pay late and cancel, and a hundred times the server is killed that is being told of it. */
const USERS = 12
const KILLS = Number(process.env['KILLS'] ?? 100)

const url = process.env['TEST_DATABASE_URL'] ?? ''
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

async function loseNothing(storage: TestStorage): Promise<void> {
  try {
    const { events, interrupted, wrong } = await billingKills({
      variables: storage.variables,
      users: USERS,
      kills: KILLS,
      random: seeded(seed),
    })
    console.log(
      `seed ${seed}: ${events} events, ${interrupted} attempts unanswered by a server that died, of ${KILLS} kills`,
    )
    expect(wrong).toEqual([])
    expect(interrupted).toBeGreaterThan(KILLS / 2)
  } finally {
    await storage.remove()
  }
}

test('on PGlite, every Stripe event takes effect once although the server is killed while handling events', () =>
  loseNothing(emptyFolder()))

test.skipIf(url === '')(
  'on PostgreSQL, every Stripe event takes effect once although the server is killed while handling events',
  async () => loseNothing(await emptyDatabase(url)),
)

test('in the sandbox, answered payments and cancellations survive kills of the server and decide the user’s tier', async () => {
  const storage = emptyFolder()
  const rounds = Math.ceil(KILLS / 2)
  const { answered, wrong } = await sandboxKills({ variables: storage.variables, rounds, random: seeded(seed) })
  await storage.remove()
  console.log(`seed ${seed}: ${rounds} kills, ${answered} after the button was answered`)
  expect(wrong).toEqual([])
  expect(answered).toBeGreaterThan(0)
})
