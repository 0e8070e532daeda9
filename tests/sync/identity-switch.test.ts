import { describe, expect, test } from 'vitest'
import { leaveExpiredSession, logOut } from '../../src/db/leave-owner'
import { readAccountView } from '../../src/db/identity'
import { readMeta } from '../../src/db/database'
import { isAnonymousOwner } from '../../src/domain/ids'
import { MINUTE } from '../../src/domain/granularity'
import { bearer, PASSWORD } from '../server/support/accounts'
import { person } from '../server/support/person'
import { oneTab } from './support/one-tab'
import type { Fate, Sent, Tab } from './support/tabs'

const scene = oneTab()
const { view, logInHere, memberHere, addPair, pairs, online, later } = scene

/** The owners of all rows in the local database agree with the session. */
async function expectSound(tab: Tab): Promise<void> {
  const session = (await tab.db.session.get('current'))!
  const isGuest = isAnonymousOwner(session.owner)
  expect([session.user === null, session.tokens === null]).toEqual([isGuest, isGuest])
  expect(session.anonymous_id).toBe(scene.browser.guest)
  const mine = [scene.browser.guest, session.owner]
  for (const table of [tab.db.widgets, tab.db.checkpoints]) {
    for (const row of await table.toArray()) expect(mine, table.name).toContain(row.owner)
  }
}

const listOf = async (email: string) => {
  const { access_token } = await scene.server.session(email)
  const list = await person(scene.server.app, async () => bearer(access_token)).list()
  return list.map(({ coin_b_id }) => coin_b_id as string)
}

/** The requests during which somebody else takes over the browser. */
const MOMENTS: readonly (readonly [string, (sent: Sent) => boolean])[] = [
  ['a change', ({ method, path }) => method === 'POST' && path === '/widgets'],
  ['a pull', ({ method, path }) => method === 'GET' && path === '/widgets'],
  ['a refresh', ({ path }) => path === '/auth/refresh-token'],
  ['a look at the account', ({ path }) => path === '/users/me'],
]

describe.each(MOMENTS)('switch of the owner in another tab during %s', (_, isMoment) => {
  /** Ada is signed in, has a pair, a change that waits, and an expired token; what `change` does comes in the middle. */
  const interrupted = async (change: (other: Tab) => Promise<unknown>, when: 'before' | 'after') => {
    const ada = await memberHere()
    await addPair('ethereum')
    await scene.tab.engine.sync('start')
    const { owner } = await view()
    const tokens = (await scene.browser.session()).tokens!
    const other = scene.browser.open()
    let changed = false
    scene.browser.setWay(async (sent, arrive): Promise<Fate> => {
      if (!isMoment(sent) || changed) return 'arrives'
      changed = true
      // The server may have done it already, or not yet heard of it.
      if (when === 'after') await arrive()
      await change(other)
      return 'arrives'
    })
    later(20 * MINUTE)
    await addPair('solana')
    await scene.tab.engine.sync('tick')
    expect(changed).toBe(true)
    online()
    return { ada, owner, tokens, other }
  }

  test.each(['before', 'after'] as const)(
    'a logout in another tab during a request stands, and nothing of the user comes back (%s the request arrives)',
    async (when) => {
      const { owner, other } = await interrupted(({ context }) => logOut(context), when)
      for (const one of [scene.tab, other]) {
        await one.engine.sync('online')
        expect(await readAccountView(one.db)).toMatchObject({ owner: scene.browser.guest, expired: false })
        await expectSound(one)
      }
      for (const table of [scene.tab.db.outbox, scene.tab.db.notices, scene.tab.db.ids]) {
        expect(
          (await table.toArray()).filter((row) => row.owner === owner),
          table.name,
        ).toEqual([])
      }
      later(MINUTE)
      await scene.tab.engine.sync('tick')
      expect(await pairs()).toEqual([])
      expect(await readMeta(scene.tab.db, 'revocations')).toEqual([])
    },
  )

  test.each(['before', 'after'] as const)(
    'a user who signs in in another tab during a request sees only own data (%s the request arrives)',
    async (when) => {
      const bob = await scene.server.member()
      const take = ({ engine }: Tab) => engine.call('logIn', { username: bob, password: PASSWORD })
      const { ada, owner, other } = await interrupted(take, when)
      for (const one of [scene.tab, other]) {
        await one.engine.sync('online')
        expect(await readAccountView(one.db)).toMatchObject({ user: { email: bob }, expired: false })
        await expectSound(one)
      }
      expect(await pairs()).toEqual([])
      expect(await listOf(bob)).toEqual([])
      // Ada's change has been done, or waits for her; nothing of it is Bob's.
      const waits = (await scene.tab.db.outbox.toArray()).map((entry) => entry.owner)
      expect(waits.filter((one) => one !== owner)).toEqual([])

      await logInHere(ada)
      await scene.tab.engine.sync('online')
      expect((await listOf(ada)).toSorted()).toEqual(['ethereum', 'solana'])
      expect((await pairs()).toSorted()).toEqual(['ethereum', 'solana'])
      await expectSound(scene.tab)
    },
  )
})

/** Kills a tab with the n-th database request of what it does, for each n there is. */
const killedEverywhere = async (
  prepare: () => Promise<unknown>,
  act: (tab: Tab) => Promise<unknown>,
  check: () => Promise<void>,
): Promise<number> => {
  for (let n = 1; ; n++) {
    await prepare()
    const dying = scene.browser.open()
    await dying.db.open()
    let isDead = false
    const died = new Promise<void>((resolve) =>
      dying.dieAfter(n, () => {
        isDead = true
        // Not at once: what follows would run inside the dead transaction, as far as Dexie can tell.
        setImmediate(resolve)
      }),
    )
    // A dead tab never receives the result of its transaction.
    const acted = act(dying).catch((error: unknown) => {
      if (!isDead) throw error
    })
    await Promise.race([acted, died])
    scene.browser.kill(dying)
    await expectSound(scene.tab)
    await check()
    if (!isDead) return n - 1
  }
}

/** Ada signed in here, with a pair that waits: the same rows each time, without a login each time. */
const signedIn = async () => {
  const { db } = scene.tab
  await memberHere()
  await scene.tab.engine.sync('start')
  await addPair('solana')
  const rows = new Map<string, readonly unknown[]>()
  for (const table of db.tables) rows.set(table.name, await table.toArray())
  return () =>
    db.transaction('rw', db.tables, async () => {
      for (const table of db.tables) {
        await table.clear()
        await table.bulkPut([...rows.get(table.name)!])
      }
    })
}

test('a tab that dies during a logout has logged out, or not at all', async () => {
  const steps = await killedEverywhere(
    await signedIn(),
    ({ context }) => logOut(context),
    async () => {
      const { account } = await view()
      const { outbox, db } = { outbox: await scene.tab.db.outbox.count(), db: scene.tab.db }
      const left = (await readMeta(db, 'revocations')) ?? []
      expect([account === 'guest', outbox, left.length]).toEqual(account === 'guest' ? [true, 0, 1] : [false, 1, 0])
    },
  )
  expect(steps).toBeGreaterThan(8)
})

test('a tab that dies while leaving an ended session has left it or not, and the waiting change is kept', async () => {
  const prepare = await signedIn()
  const act = async ({ context, db }: Tab) => leaveExpiredSession(context, (await db.session.get('current'))!.owner)
  const steps = await killedEverywhere(prepare, act, async () => expect(await scene.tab.db.outbox.count()).toBe(1))
  expect(steps).toBeGreaterThan(8)
})

test('a tab that dies during a sign-in has signed the user in, or not at all', async () => {
  const email = await scene.server.member()
  const steps = await killedEverywhere(
    () => logOut(scene.tab.context),
    ({ engine }) => engine.call('logIn', { username: email, password: PASSWORD }),
    async () => {
      const { user } = await view()
      expect([null, email]).toContain(user?.email ?? null)
    },
  )
  expect(steps).toBeGreaterThan(4)
})

test('a tab that dies during a token refresh leaves a session that another tab goes on with', async () => {
  await memberHere()
  const steps = await killedEverywhere(
    async () => later(20 * MINUTE),
    ({ engine }) => engine.call('me', {}),
    async () => {
      expect(await scene.tab.engine.call('me', {})).toEqual({ ok: true, value: null })
      expect(await view()).toMatchObject({ expired: false })
    },
  )
  expect(steps).toBeGreaterThan(4)
})

test('two tabs that sign in two users at once end with one of them, and the other session is ended', async () => {
  const [ada, bob] = [await scene.server.member(), await scene.server.member()]
  const other = scene.browser.open()
  await Promise.all([logInHere(ada), other.engine.call('logIn', { username: bob, password: PASSWORD })])
  await scene.tab.engine.sync('online')
  await other.engine.sync('online')
  await expectSound(scene.tab)
  expect([ada, bob]).toContain((await view()).user!.email)
  expect(await readMeta(scene.tab.db, 'revocations')).toEqual([])
  expect(scene.browser.sent.filter(({ path }) => path === '/auth/logout')).toHaveLength(1)
  expect((await scene.server.logIn(ada)).status).toBe(200)
})
