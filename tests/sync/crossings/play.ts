import { vi } from 'vitest'
import { checkOtherPrices } from '../../../src/app/alerts/start-alerts'
import { followSettings } from '../../../src/app/open-local-database'
import type { Crossing } from '../../../src/contract/alerts'
import type { Widget } from '../../../src/contract/widget'
import { readBoard } from '../../../src/db/board-rows'
import { readMeta } from '../../../src/db/database'
import { readOwnerSyncState } from '../../../src/db/owner-sync-state'
import type { CoinId } from '../../../src/domain/ids'
import { MINUTE } from '../../../src/domain/granularity'
import { startsArmed } from '../../../src/domain/threshold-entry'
import { ownerHash } from '../../../src/sync/push/on-push'
import { priceStore } from '../../../server/services/market/prices/price-store'
import { listCoins } from '../../server/support/alert-prices'
import { key, person } from '../../server/support/person'
import type { TestApp } from '../../server/support/test-app'
import { setThreshold } from '../../support/set-threshold'
import { somePeople } from '../histories/people'
import { createActivity } from '../support/activity'
import { seededRandom } from '../support/random'
import { virtualTime } from '../support/virtual-time'
import { type Device, openDevice, type PageAlerts } from './device'

const PAIRS = ['bitcoin', 'solana', 'cardano', 'ripple'].map((coinA) => ({ coinA, coinB: 'ethereum' }))
const COINS = [...PAIRS.map(({ coinA }) => coinA), 'ethereum']
/** Milliseconds in which a device that can be reached has heard of everything, whatever gets lost meanwhile. */
const LONG_ENOUGH = 4 * MINUTE
/** Virtual milliseconds of one move in the moments after an event, and later; the server's timers pass with it. */
const PACE = 500
const LONG_PACE = 2_000
const MOMENTS = 3_000

/** A crossing as one device heard of it. */
interface Hearing {
  readonly name: string
  readonly toasts: number
  readonly rung: number
  /** A toast came before the crossing, more than ten minutes after it, or with another ratio or threshold than it had. */
  readonly isWrong: boolean
  /** The device was in reach within ten minutes of it, and for long enough. */
  readonly isDue: boolean
  /** Milliseconds from the crossing to its toast, where a stream was open and nothing was in the way; else null. */
  readonly delay: number | null
}

export interface Heard {
  readonly crossings: number
  readonly hearings: readonly Hearing[]
  /** Announcements of crossings that there never were. */
  readonly phantoms: readonly string[]
  /** Prices and flags that a device shows otherwise than the server has them, once all is quiet. */
  readonly differences: readonly string[]
  /** Prices that came back to a screen after later ones. */
  readonly relapses: readonly string[]
}

interface Options {
  readonly seed: number
  /** Crossings to record at least. */
  readonly crossings: number
  /** A page's work on alerts; another one shows that the play notices. */
  readonly page?: PageAlerts
}

const ownPage: PageAlerts = (store, context) => {
  followSettings(store, context.db)
  checkOtherPrices(store, { ...context })
}

interface Recorded {
  readonly name: string
  readonly says: Pick<Crossing, 'ratio' | 'threshold'>
  readonly at: number
  /** By device: since when it has been in reach after the crossing; null: it is not now. */
  readonly reach: (number | null)[]
  readonly isDue: boolean[]
  /** By device: its stream was open, with nothing in the way, from before the crossing on. */
  readonly isStreamed: boolean[]
}

/**
 * Two devices of a user before the real server, with prices that cross thresholds all the time: streams, polls and pushes are
 * cut, late and doubled, lids are closed, thresholds moved without a network, and one device's clock is set wrong.
 */
export async function playCrossings(server: TestApp, { seed, crossings, page = ownPage }: Options): Promise<Heard> {
  const random = seededRandom(seed)
  const time = virtualTime(server.clock())
  const { pool } = server.database
  const activity = createActivity(() => pool.waitingCount > 0 || pool.idleCount < pool.totalCount)
  const people = await somePeople(server)
  const user = people.users[0]!
  const me = person(server.app, async () => people.headersOf(user))
  const problems: unknown[] = []
  vi.stubGlobal('location', { origin: 'http://localhost' })
  vi.stubGlobal('reportError', (error: unknown) => problems.push(error))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  // Dexie's timers of 0 ms take no virtual time. No promise may carry them: one made in a transaction keeps to its zone.
  const later = setTimeout
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => (ms > 0 ? later(run, ms) : setImmediate(run)))

  await listCoins(pool, COINS)
  const store = priceStore({
    pool,
    source: 'simulated',
    clock: server.clock,
    changes: server.database.changes,
  })
  /** By coin; none comes twice, so that a screen's price tells which one it is. */
  const past = new Map<string, number[]>()
  const setPrices = async (usd: Readonly<Record<string, number>>): Promise<void> => {
    for (const [coin, price] of Object.entries(usd)) {
      server.market.usd.set(coin, price)
      past.set(coin, [...(past.get(coin) ?? []), price])
    }
    const at = time.now()
    const prices = new Map(COINS.map((coin) => [coin, { usd: server.market.usd.get(coin)!, providerTime: at }]))
    await activity.track(store(prices, { history: false }))
  }
  await setPrices(Object.fromEntries([...PAIRS.map(({ coinA }) => [coinA, 1_000]), ['ethereum', 100]]))
  for (const { coinA, coinB } of PAIRS) {
    const body = {
      coin_a_id: coinA,
      coin_b_id: coinB,
      high_threshold: 11,
      low_threshold: 9,
      notifications_enabled: true,
    }
    await me.ask('POST', '/widgets', body, key(undefined))
  }
  const relapses: string[] = []
  const open = (name: string) => {
    const shown = new Map<string, number>()
    const onPrices: Parameters<typeof openDevice>[0]['onPrices'] = (prices) => {
      for (const coin of COINS) {
        const place = past.get(coin)!.indexOf(prices[coin as CoinId]?.usd ?? Number.NaN)
        if (place < (shown.get(coin) ?? -1)) relapses.push(`${name} has an older price of ${coin} again`)
        shown.set(coin, place)
      }
    }
    return openDevice({
      server,
      user,
      headersOf: people.headersOf,
      random,
      time,
      activity,
      page,
      onDefect: (error) => problems.push(error),
      onPrices,
    })
  }
  const devices = [await open('device 0'), await open('device 1')]
  const recorded = new Map<string, Recorded>()
  const hash = await ownerHash(user)

  const look = (): void => {
    if (problems.length > 0) throw problems[0]
    const now = time.now()
    for (const crossing of recorded.values()) {
      if (now > crossing.at + 10 * MINUTE) continue
      devices.forEach((device, index) => {
        const { network } = device
        const isHindered = network.isDisturbed(crossing.at) || network.isFaulty(crossing.at)
        if (now <= crossing.at + 2_000 && isHindered) crossing.isStreamed[index] = false
        const inReach = !device.isAsleep() && !network.isOffline()
        if (!inReach) crossing.reach[index] = null
        else crossing.reach[index] ??= now
        const since = crossing.reach[index]
        if (since !== null && since !== undefined && now - since >= LONG_ENOUGH) crossing.isDue[index] = true
      })
    }
  }
  const advance = async (ms: number): Promise<void> => {
    const begun = time.now()
    const end = begun + ms
    for (;;) {
      await activity.idle()
      look()
      if (time.now() >= end) return
      const pace = time.now() - begun < MOMENTS ? PACE : LONG_PACE
      const next = Math.min(end, time.now() + pace, time.next() ?? Infinity)
      vi.advanceTimersByTime(next - time.now())
      server.clock.advance(next - server.clock())
      time.moveTo(next)
    }
  }
  /** A pull that has failed is tried again after a pause, and brings what the stream speaks of meanwhile. */
  const isStreamed = async ({ db, network, isAsleep }: Device): Promise<boolean> => {
    const [stream, { needs_pull }] = [await readMeta(db, 'stream'), await readOwnerSyncState(db, user)]
    return stream?.kind === 'live' && !needs_pull && !isAsleep() && !network.isDisturbed(time.now() - MINUTE)
  }

  async function newPrices(): Promise<void> {
    const streamed = await Promise.all(devices.map(isStreamed))
    const moved = PAIRS.filter(() => random.next() < 0.6)
    await setPrices(Object.fromEntries(moved.map(({ coinA }) => [coinA, 800 + 400 * random.next()])))
    const { alerts } = (await me.ask<{ readonly alerts: readonly Crossing[] }>('GET', '/alerts?limit=20')).body
    for (const crossing of alerts) {
      const name = crossing.event_id
      if (recorded.has(name)) continue
      const none = (): boolean[] => devices.map(() => false)
      recorded.set(name, {
        name,
        says: crossing,
        at: time.now(),
        reach: devices.map(() => null),
        isDue: none(),
        isStreamed: streamed.slice(),
      })
      // The first device has push.
      const times = random.int(3)
      const text = JSON.stringify({ ...crossing, type: 'alert', owner: hash })
      for (let n = 0; n < times; n++) time.timer(random.int(12_000), () => devices[0]!.push(text))
    }
  }

  async function moveThreshold(device: Device): Promise<void> {
    const board = await readBoard(device.db)
    const widget = board?.widgets[random.int(PAIRS.length)]
    if (widget === undefined) return
    const prices = (await device.db.prices.get('usd'))?.prices
    const [a, b] = [prices?.[widget.coinA.id]?.usd, prices?.[widget.coinB.id]?.usd]
    const side = random.next() < 0.5 ? 'high' : 'low'
    const value = side === 'high' ? 10.6 + random.next() : 8.4 + random.next()
    const ratio = a === undefined || b === undefined ? null : a / b
    await setThreshold(device.context, widget.id, side, value, startsArmed(side, value, ratio))
  }

  /** The network is back and slow, and the server's prices go on meanwhile: answers, the stream and pushes come in any order. */
  async function comeBack(device: Device): Promise<void> {
    if (!device.network.isOffline() && !device.isAsleep()) return
    device.network.slowFor(20_000)
    if (device.network.isOffline()) device.setOffline(false, random.next() < 0.7)
    if (device.isAsleep()) device.wake()
    for (let updates = random.int(6); updates > 0; updates--) {
      await advance(500 + random.int(4_000))
      await newPrices()
    }
  }

  /** Thresholds are moved without a network, while prices go on. */
  async function tunnel(device: Device): Promise<void> {
    device.setOffline(true, true)
    for (let changes = 1 + random.int(3); changes > 0; changes--) {
      if (!device.isAsleep()) await moveThreshold(device)
      await advance(random.int(20_000))
      await newPrices()
    }
    await comeBack(device)
  }

  /** The lid is closed for some updates, or for longer than a crossing is news: sides fire, are armed again and fire. */
  async function sleepOver(device: Device): Promise<void> {
    device.sleep()
    const pause = random.next() < 0.5 ? MINUTE / 3 : 2 * MINUTE
    for (let updates = 2 + random.int(6); updates > 0; updates--) {
      await newPrices()
      await advance(random.int(pause))
    }
    await comeBack(device)
  }

  async function happen(): Promise<void> {
    const luck = random.next()
    const index = random.int(devices.length)
    const device = devices[index]!
    const { network } = device
    if (luck < 0.6) return newPrices()
    if (luck < 0.7) return device.isAsleep() ? undefined : moveThreshold(device)
    if (luck < 0.72) device.setOffline(true, true)
    else if (luck < 0.75 && !device.isAsleep()) device.sleep()
    else if (luck < 0.78) network.cutStream()
    else if (luck < 0.81) network.stallStream(random.int(20_000))
    else if (luck < 0.83) network.serveStreams(random.next() < 0.7)
    else if (luck < 0.85 && index === 1) device.setClockError((random.int(3) - 1) * 60 * MINUTE)
    else if (luck < 0.88) await tunnel(device)
    else if (luck < 0.91) await sleepOver(device)
    else if (luck < 0.95) await advance(2 * MINUTE)
    else for (const each of devices) await comeBack(each)
  }

  await advance(MINUTE)
  while (recorded.size < crossings) {
    await happen()
    await advance(1_000 + random.int(15_000))
  }
  for (const device of devices) {
    device.network.serveStreams(true)
    device.setOffline(false, true)
    if (device.isAsleep()) device.wake()
  }
  await advance(6 * MINUTE)
  const differences = await differencesOf(devices, server, await me.list())
  for (const device of devices) device.close()
  await activity.idle()
  vi.unstubAllGlobals()
  vi.useRealTimers()

  const names = new Set(recorded.keys())
  return {
    crossings: names.size,
    differences,
    relapses,
    phantoms: devices.flatMap(({ toasts, rung }) =>
      [...toasts, ...rung].filter(({ name }) => !names.has(name)).map(({ name }) => name),
    ),
    hearings: [...recorded.values()].flatMap(({ name, says, at, isDue, isStreamed }) =>
      devices.map(({ toasts, rung }, index) => {
        const mine = toasts.filter((toast) => toast.name === name)
        return {
          name,
          toasts: mine.length,
          rung: rung.filter((one) => one.name === name).length,
          isWrong: mine.some(
            (toast) =>
              toast.at < at ||
              toast.at > at + 10 * MINUTE ||
              toast.ratio !== says.ratio ||
              toast.threshold !== says.threshold,
          ),
          isDue: isDue[index]!,
          delay: isStreamed[index] === true ? (mine[0]?.at ?? Infinity) - at : null,
        }
      }),
    ),
  }
}

async function differencesOf(devices: readonly Device[], server: TestApp, list: readonly Widget[]): Promise<string[]> {
  const found: string[] = []
  for (const [index, { db }] of devices.entries()) {
    const prices = (await db.prices.get('usd'))?.prices ?? {}
    for (const [coin, usd] of server.market.usd) {
      const held = (prices as Readonly<Record<string, { readonly usd: number }>>)[coin]?.usd
      if (COINS.includes(coin) && held !== usd) found.push(`device ${index} has ${coin} at ${held}, not ${usd}`)
    }
    for (const { id, high_epoch, low_epoch, high_threshold_active: high, low_threshold_active: low } of list) {
      const row = await db.widgets.get(id)
      const same =
        row?.high_epoch === high_epoch &&
        row.low_epoch === low_epoch &&
        row.high_threshold_active === high &&
        row.low_threshold_active === low
      if (!same) found.push(`device ${index} has other flags of ${id}`)
    }
  }
  return found
}
