import { expect, test } from 'vitest'
import { readMeta } from '../../src/db/database'
import { isAccountOutdated } from '../../src/db/held-revisions'
import { changeOwnerSyncState, readOwnerSyncState } from '../../src/db/owner-sync-state'
import { loadVersions, reloadUser } from '../../src/sync/account/user'
import type { EngineEnv } from '../../src/sync/env'
import { syncSettings } from '../../src/sync/reference-data'
import { NOW, testContext } from '../db/support/entries'
import { userContext } from '../db/support/people'
import { json, SETTINGS, wiredEnv } from './support/wire'

/** A server whose record is 1, then 2, and that answers only when told. */
function slowServer() {
  const answers: (() => void)[] = []
  return {
    answering: (bodyOf: (version: number) => unknown) => {
      let version = 0
      return () => {
        const answer = json(200, bodyOf(++version))
        return new Promise<Response>((resolve) => void answers.push(() => resolve(answer)))
      }
    },
    asked: async (count: number) => {
      while (answers.length < count) await new Promise((resolve) => setImmediate(resolve))
    },
    answer: (which: number) => answers[which]!(),
  }
}

/** Two requests for one record under way at once, the answers in an order of their own. */
async function cross(load: (now: number) => Promise<unknown>, server: ReturnType<typeof slowServer>, order: number[]) {
  const older = load(NOW)
  await server.asked(1)
  const newer = load(NOW + 5_000)
  await server.asked(2)
  for (const which of order) {
    server.answer(which)
    await [older, newer][which]
  }
}

const ORDERS = [
  ['first', [0, 1]],
  ['last', [1, 0]],
] as [string, number[]][]
const limits = { max_widgets: 7, max_checkpoints_per_widget: 1 }

test.each(ORDERS)(
  'of settings asked for twice those asked for last stay, the older answer coming %s',
  async (_, order) => {
    const server = slowServer()
    const { db } = testContext()
    const env = wiredEnv(db, {
      '/api/v1/config': server.answering((version) => ({ ...SETTINGS, version: String(version) })),
      '/api/v1/settings/tier-limits': () => json(200, { free: limits, premium: limits }),
    })
    await cross((now) => syncSettings({ ...env, now: () => now }, 'changed'), server, order)
    expect((await readMeta(db, 'config'))!.config.version).toBe('2')
  },
)

test.each(ORDERS)(
  'of policies asked for twice those asked for last stay, the older answer coming %s',
  async (_, order) => {
    const server = slowServer()
    const { db } = testContext()
    const policy = (version: number) => ({ version: String(version), path: '/policy' })
    const env = wiredEnv(db, {
      '/api/v1/policies/current': server.answering((version) => ({ terms: policy(version), privacy: policy(version) })),
    })
    await cross((now) => loadVersions({ ...env, now: () => now }), server, order)
    expect((await readMeta(db, 'policies'))!.policies.terms.version).toBe('2')
  },
)

test.each(ORDERS)(
  'of accounts asked for twice the newer stays or is asked for again, the older answer coming %s',
  async (_, order) => {
    const server = slowServer()
    const { db } = await userContext(false)
    const { owner, user } = (await db.session.get('current'))!
    await changeOwnerSyncState(db, owner, { told_account: 2 })
    const env: EngineEnv = wiredEnv(db, {
      '/api/v1/users/me': server.answering((version) => ({ ...user, email: `ada${version}@example.com` })),
    })
    await cross(() => reloadUser(env), server, order)
    const stored = (await db.session.get('current'))!.user!.email
    expect(stored === 'ada2@example.com' || isAccountOutdated(await readOwnerSyncState(db, owner))).toBe(true)
  },
)
