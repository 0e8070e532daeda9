import type { Widget } from '../../../src/contract/widget'
import type { OptimisticWidget } from '../../../src/db/board'
import { addWidget, removeWidget } from '../../../src/db/commands/widgets'
import { readAccountView } from '../../../src/db/identity'
import { retryChange } from '../../../src/db/commands/failed-changes'
import { bringPairsAlong, leavePairsWithGuest, readGuestOffer } from '../../../src/db/commands/bring-guest-pairs'
import { leaveExpiredSession, logOut } from '../../../src/db/leave-owner'
import { saveCheckpoint } from '../../../src/db/commands/default-checkpoint'
import { setThreshold } from '../../support/set-threshold'
import { readGuestBoard } from '../../../src/db/answers/brought-pairs'
import { readSnapshot } from '../../../src/db/board-rows'
import { isAnonymousOwner, type OwnerId } from '../../../src/domain/ids'
import type { TestApp } from '../../server/support/test-app'
import { PAIRS } from '../histories/pairs'
import type { Kind } from '../histories/play-seeds'
import { openStage, SECOND, type Event } from '../histories/stage'
import { Violation } from '../histories/violation'
import type { Random } from '../support/random'
import { coinsOf, createFates, noneTwice } from './fates'
import { FAULTS } from '../support/network'

/** One step on a guest's way to an account: something that the user, the browser or the network does. */
type Step =
  | Event
  /** The browser's current user, mostly a guest, adds a pair or changes one. */
  | { readonly type: 'add' | 'threshold' | 'checkpoint' | 'remove'; readonly a: number; readonly b: number }
  | { readonly type: 'log-in'; readonly a: number }
  | { readonly type: 'log-out' | 'session-over' | 'bring' | 'not-now' }
  /** Two tabs answer at once. */
  | { readonly type: 'bring-twice' }
  /** The tab that answers dies with its n-th database request. */
  | { readonly type: 'bring-and-die'; readonly requests: number }

/** A way from a guest to an account, and everything that comes between. */
interface Move {
  readonly seed: number
  readonly config: {
    /** Two tabs that each run the engine, instead of one service worker. */
    readonly tabs: boolean
    /** Pairs that each user has beforehand. */
    readonly start: number
  }
  readonly operations: readonly Step[]
}

const pick = <T>(random: Random, items: readonly T[]): T => items[random.int(items.length)]!

const change = (random: Random): Step => ({
  type: pick(random, ['add', 'add', 'add', 'threshold', 'threshold', 'checkpoint', 'checkpoint', 'remove'] as const),
  a: random.int(1000),
  b: random.int(1000),
})

function interruption(random: Random): Step {
  const p = random.next()
  const a = random.int(1000)
  if (p < 0.22) return { type: 'fault', fault: pick(random, [...FAULTS, 'lost-answer', 'late-answer', 'lost-answer']) }
  if (p < 0.32) return { type: 'kill', a }
  if (p < 0.42) return { type: 'die-after', a, requests: 1 + random.int(60) }
  if (p < 0.52) return { type: 'offline', on: a % 2 === 0 }
  if (p < 0.62) return { type: 'run', events: 1 + random.int(10) }
  if (p < 0.7) return { type: 'time', ms: pick(random, [1_000, 5_000, 25_000, 80_000]) }
  if (p < 0.76) return { type: 'bring-twice' }
  if (p < 0.82) return { type: 'bring-and-die', requests: 1 + random.int(40) }
  if (p < 0.86) return { type: 'bring' }
  if (p < 0.9) return { type: 'log-out' }
  if (p < 0.93) return { type: 'session-over' }
  if (p < 0.95) return { type: 'log-in', a }
  if (p < 0.98) return change(random)
  return p < 0.99 ? { type: 'not-now' } : { type: 'tick' }
}

function generateMove(seed: number, random: Random): Move {
  const tabs = random.next() < 0.4
  const start = random.int(3)
  const steps: Step[] = []
  for (let n = 2 + random.int(5); n > 0; n--) steps.push(change(random))
  if (random.next() < 0.6) steps.push({ type: 'time', ms: pick(random, [400, 2_000, 5_000]) })
  if (random.next() < 0.3) steps.push({ type: 'offline', on: true }, change(random), { type: 'offline', on: false })
  steps.push({ type: 'log-in', a: random.int(1000) }, { type: 'time', ms: 5_000 })
  if (random.next() < 0.4) steps.push(interruption(random))
  steps.push({ type: 'bring' })
  for (let n = 1 + random.int(9); n > 0; n--) steps.push(interruption(random))
  return { seed, config: { tabs, start }, operations: steps }
}

/** Plays one way from a guest to an account against the real engine and server; throws a Violation where a pair is lost or doubled. */
async function playMove({ config, operations }: Move, server: TestApp, random: Random): Promise<void> {
  const fates = createFates()
  const made = new Set<string>()
  let asked = false
  const judge = async (byGuest: boolean): Promise<readonly OptimisticWidget[]> => {
    const [shown, { shown: aside, entries }] = await db.transaction('r', db.tables, async () => [
      (await readSnapshot(db))!.shown,
      await readGuestBoard(db, guest),
    ])
    // A change that the server has refused to the guest goes back, and the guest is told.
    const isRefused = entries.some(({ state }) => state === 'failed')
    noneTwice(shown, 'the screen')
    fates.guestBoard(aside, isRefused || byGuest ? 'guest' : 'machinery', asked)
    for (const pair of fates.takenAway()) {
      const lists = await Promise.all(users.map(async (user) => [user, await elsewhere.list(user)] as const))
      fates.judgeTaken(pair, new Map(lists))
    }
    return shown
  }
  const stage = await openStage(server, random, { ...config, market: false, judge })
  const { activity, accounts, people, network, device, db, context, guest, elsewhere, problems } = stage
  const { look, advance, live, current } = stage
  const { users } = people

  network.onSeen(({ method, path, key, status, replayed }) => {
    if (method !== 'POST' || !path.endsWith('/widgets') || status !== 201 || replayed) return
    if (made.has(key!)) problems.push(new Violation('once', `the server made ${key} twice`))
    made.add(key!)
  })

  const logIn = async (user: OwnerId): Promise<void> => {
    await stage.logIn(user)
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
    await look(isAnonymousOwner(owner))
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
      default:
        return stage.happen(one)
    }
  }

  const comeToRest = async (owner: OwnerId): Promise<void> => {
    device.askAll('online')
    await advance(40 * SECOND)
    await stage.comeToRest(owner)
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
    await look(isAnonymousOwner(owner))
    await comeToRest(owner)
    if (isAnonymousOwner(owner)) return
    for (let again = 0; ((await readGuestOffer(db))?.ready.length ?? 0) > 0; again++) {
      if (again > 5) throw new Violation('calm', `offered for ever: ${JSON.stringify(await readGuestOffer(db))}`)
      await bring()
      await comeToRest(owner)
    }
  }

  try {
    for (const user of users) for (const pair of PAIRS.slice(0, config.start)) await elsewhere.add(user, pair)
    device.askAll('start')
    for (const one of operations) {
      await perform(one)
      await look(false)
    }
    network.heal()
    const lists = new Map<OwnerId, readonly Widget[]>()
    const first = await current()
    for (const user of users.toSorted((one) => (one === first ? -1 : 0))) await finishAs(user)
    for (const owner of [...users, guest]) {
      await finishAs(owner)
      const list = await elsewhere.list(owner)
      const [screen, there] = [(await look(false)).map(coinsOf), list.map(coinsOf)]
      if (screen.join() !== there.join())
        throw new Violation('equal', `screen ${screen.join()}, server ${there.join()}`)
      lists.set(owner, list)
    }
    for (const owner of users) lists.set(owner, await elsewhere.list(owner))
    fates.judge(lists)
  } finally {
    await stage.close()
  }
}

export const MOVES: Kind<Move> = { name: 'guests on their way to an account', generate: generateMove, play: playMove }
