import { randomBytes, randomUUID } from 'node:crypto'
import type { Widget } from '../../../src/contract/widget'
import type { OptimisticWidget } from '../../../src/db/board'
import { addWidget, removeWidget } from '../../../src/db/commands/widgets'
import { ensureIdentity, readAccountView } from '../../../src/db/identity'
import { retryChange } from '../../../src/db/commands/failed-changes'
import { bringPairsAlong, leavePairsWithGuest, readGuestOffer } from '../../../src/db/commands/bring-guest-pairs'
import { leaveExpiredSession, logOut } from '../../../src/db/leave-owner'
import { saveCheckpoint } from '../../../src/db/commands/default-checkpoint'
import { setThreshold } from '../../support/set-threshold'
import { readGuestBoard } from '../../../src/db/guest-pair-keys'
import { isLive } from '../../../src/db/mutations/mutation-types'
import { writeMeta } from '../../../src/db/database'
import { readSnapshot } from '../../../src/db/read-snapshot'
import { isAnonymousOwner, type OwnerId } from '../../../src/domain/ids'
import { userRecord } from '../../db/support/people'
import type { TestApp } from '../../server/support/test-app'
import { otherDevice } from '../histories/other-device'
import { LIMITS, PAIRS } from '../histories/pairs'
import { somePeople } from '../histories/people'
import { Violation } from '../histories/violation'
import { createAccounts } from '../support/accounts'
import { createActivity } from '../support/activity'
import { createDevice } from '../support/device'
import { createNetwork } from '../support/network'
import type { Random } from '../support/random'
import { signIn } from '../support/sign-in'
import { virtualTime } from '../support/virtual-time'
import { coinsOf, createFates, noneTwice } from './fates'
import type { Move, Step } from './operations'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Plays one way from a guest to an account against the real engine and server; throws a Violation where a pair is lost or doubled. */
export async function playMove({ tabs, start, steps }: Move, server: TestApp, random: Random): Promise<void> {
  const time = virtualTime(server.clock())
  const activity = createActivity()
  const accounts = createAccounts(time.now)
  const people = await somePeople(server)
  const { users, headersOf } = people
  const network = createNetwork({
    app: server.app,
    accounts,
    headersOf,
    time,
    activity,
    random: random.next,
    market: false,
  })
  const problems: unknown[] = []
  const device = createDevice({
    time,
    activity,
    network,
    random: random.next,
    contexts: tabs ? ['tab-1', 'tab-2'] : ['service-worker'],
    onDefect: (error) => problems.push(error),
  })
  const { db } = device
  const context = { db, now: device.now, uuid: randomUUID }
  const elsewhere = otherDevice(server, people, time.now)
  const fates = createFates()
  const made = new Set<string>()
  let guest = '' as OwnerId
  let asked = false

  network.onSeen(({ method, path, key, status, replayed }) => {
    if (method !== 'POST' || !path.endsWith('/widgets') || status !== 201 || replayed) return
    if (made.has(key!)) problems.push(new Violation('once', `the server made ${key} twice`))
    made.add(key!)
  })

  const current = async (): Promise<OwnerId> => (await db.session.get('current'))!.owner
  let seenMoves = -1
  let seenScreen: readonly OptimisticWidget[] = []
  const look = async (by: 'guest' | 'machinery'): Promise<readonly OptimisticWidget[]> => {
    await activity.idle()
    if (problems.length > 0) throw problems[0]
    if (activity.moves() === seenMoves) return seenScreen
    const [shown, { shown: aside, entries }] = await db.transaction('r', db.tables, async () => [
      (await readSnapshot(db))!.shown,
      await readGuestBoard(db, guest),
    ])
    // A change that the server has refused to the guest goes back, and the guest is told.
    const isRefused = entries.some(({ state }) => state === 'failed')
    noneTwice(shown, 'the screen')
    fates.guestBoard(aside, isRefused ? 'guest' : by, asked)
    for (const pair of fates.takenAway()) {
      const lists = await Promise.all(users.map(async (user) => [user, await elsewhere.list(user)] as const))
      fates.judgeTaken(pair, new Map(lists))
    }
    seenMoves = activity.moves()
    seenScreen = shown
    return shown
  }
  const step = async (until: number): Promise<boolean> => {
    await activity.idle()
    const next = time.next()
    if (next === null || next > until) return false
    server.clock.advance(Math.max(0, next - server.clock()))
    time.moveTo(next)
    await look('machinery')
    return true
  }
  const advance = async (ms: number): Promise<void> => {
    const end = time.now() + ms
    while (await step(end));
    time.moveTo(end)
    server.clock.advance(Math.max(0, end - server.clock()))
    await look('machinery')
  }

  const logIn = async (user: OwnerId): Promise<void> => {
    await signIn(db, userRecord(user, people.isPremium(user)), accounts.signIn(user), device.now())
    device.askAll('online')
  }
  const leave = async (): Promise<void> => {
    for (const { brings } of await db.outbox.toArray()) if (brings !== undefined) fates.forgotten(brings.pair)
    await logOut(context)
    device.askAll('command')
  }
  const bring = async (commands = context): Promise<void> => {
    asked = true
    await bringPairsAlong(commands)
    device.ask('command', random.int(2))
  }
  const change = async ({ type, a, b }: Extract<Step, { readonly a: number; readonly b: number }>): Promise<void> => {
    const owner = await current()
    const { shown } = (await readSnapshot(db))!
    const widget = shown[a % Math.max(1, shown.length)]
    if (type === 'add') await addWidget(context, PAIRS[b % PAIRS.length]!)
    else if (widget === undefined) return
    else {
      if (!isAnonymousOwner(owner)) fates.touchedBy(owner, widget)
      if (type === 'remove') await removeWidget(context, widget.id)
      else if (type === 'checkpoint') await saveCheckpoint(context, widget.id, 1 + b)
      else await setThreshold(context, widget.id, a % 2 === 0 ? 'high' : 'low', 1 + b, b % 2 === 0)
    }
    await look(isAnonymousOwner(owner) ? 'guest' : 'machinery')
    device.ask('command', b)
  }

  const perform = async (one: Step): Promise<unknown> => {
    switch (one.type) {
      case 'add':
      case 'threshold':
      case 'checkpoint':
      case 'remove':
        return change(one)
      case 'log-in':
        return network.isOffline() ? undefined : logIn(users[one.a % users.length]!)
      case 'log-out':
        return leave()
      case 'session-over': {
        const owner = await current()
        if (isAnonymousOwner(owner)) return undefined
        accounts.endAll(owner)
        return leaveExpiredSession(context, owner)
      }
      case 'bring':
        return bring()
      case 'bring-twice': {
        const other = device.openPage()
        await Promise.all([bring(), bring({ ...context, db: other.db })])
        return other.kill()
      }
      case 'bring-and-die': {
        const page = device.openPage()
        page.dieAfter(one.requests, () => undefined)
        void bring({ ...context, db: page.db }).catch(() => undefined)
        await activity.idle()
        return page.kill()
      }
      case 'not-now':
        return leavePairsWithGuest(context)
      case 'kill':
        return device.kill(one.a)
      case 'die-after':
        return device.dieAfter(one.a, one.requests)
      case 'offline':
        network.setOffline(one.on)
        return one.on ? undefined : device.askAll('online')
      case 'fault':
        return network.addFault(one.fault)
      case 'run':
        for (let i = 0; i < one.events; i++) await step(Infinity)
        return undefined
      case 'time':
        return advance(one.ms)
      case 'tick':
        return device.askAll('tick')
    }
  }

  const live = async (owner: OwnerId) => (await db.outbox.where('owner').equals(owner).toArray()).filter(isLive)
  const comeToRest = async (owner: OwnerId): Promise<void> => {
    device.askAll('online')
    await advance(40 * SECOND)
    for (let waited = 0; waited < 20 * MINUTE && (await live(owner)).length > 0; waited += 30 * SECOND) {
      await advance(30 * SECOND)
    }
    const left = await live(owner)
    if (left.length > 0) throw new Violation('calm', `never ends: ${JSON.stringify(left[0])}`)
  }
  /** The user comes back once more, tries again what was refused, and brings along what is offered. */
  const finishAs = async (owner: OwnerId): Promise<void> => {
    if (!isAnonymousOwner(await current())) await leaveExpiredSession(context, await current())
    if (!isAnonymousOwner(owner)) await logIn(owner)
    await comeToRest(owner)
    if ((await readAccountView(db))!.expired) await logIn(owner)
    for (const { op_id, state } of await db.outbox.where('owner').equals(owner).toArray()) {
      if (state === 'failed') await retryChange(context, op_id)
    }
    await look(isAnonymousOwner(owner) ? 'guest' : 'machinery')
    await comeToRest(owner)
    if (isAnonymousOwner(owner)) return
    for (let again = 0; ((await readGuestOffer(db))?.ready.length ?? 0) > 0; again++) {
      if (again > 5) throw new Violation('calm', `offered for ever: ${JSON.stringify(await readGuestOffer(db))}`)
      await bring()
      await comeToRest(owner)
    }
  }

  try {
    guest = await ensureIdentity(context, randomBytes(24))
    await writeMeta(db, 'tier_limits', { limits: LIMITS, fetched_at: time.now() })
    for (const user of users) for (const pair of PAIRS.slice(0, start)) await elsewhere.add(user, pair)
    device.askAll('start')
    for (const one of steps) {
      await perform(one)
      await look('machinery')
    }
    network.heal()
    const lists = new Map<OwnerId, readonly Widget[]>()
    const first = await current()
    for (const user of users.toSorted((one) => (one === first ? -1 : 0))) await finishAs(user)
    for (const owner of [...users, guest]) {
      await finishAs(owner)
      const list = await elsewhere.list(owner)
      const [screen, there] = [(await look('machinery')).map(coinsOf), list.map(coinsOf)]
      if (screen.join() !== there.join())
        throw new Violation('equal', `screen ${screen.join()}, server ${there.join()}`)
      lists.set(owner, list)
    }
    for (const owner of users) lists.set(owner, await elsewhere.list(owner))
    fates.judge(lists)
  } finally {
    device.close()
    await activity.idle()
  }
}
