import * as z from 'zod/mini'
import { type StreamEventName, type StreamEvents, streamEvents } from '../../contract/stream'
import { changeOwnerSyncState, readOwnerSyncState } from '../../db/owner-sync-state'
import { readEntries } from '../../db/board-rows'
import { noteAnnounced } from '../../db/held-revisions'
import { writeTransaction } from '../../db/write-transaction'
import { type PolledPrice, writePrices } from '../../db/write-prices'
import { type CoinId, isAnonymousOwner, type OwnerId } from '../../domain/ids'
import { isPrice } from '../../domain/series'
import type { EngineEnv } from '../env'
import { localTime } from '../prices'
import { agreesOnSource } from '../reference-data'

/** For whom a stream is opened, and the coins whose prices it brings. */
export interface StreamTarget {
  readonly owner: OwnerId
  /** Empty: prices come from elsewhere, or there are no pairs. */
  readonly coins: readonly CoinId[]
}

const { prices } = streamEvents
const price = prices.shape.prices.def.valueType
/** One coin that cannot be read takes no other along. */
const readable = { ...streamEvents, prices: z.extend(prices, { prices: z.record(z.string(), z.unknown()) }) }

type Readable = Omit<StreamEvents, 'prices'> & { readonly prices: z.infer<typeof readable.prices> }
/** An event of this version's contract. */
export type StreamEvent = { [N in StreamEventName]: { readonly name: N; readonly data: Readable[N] } }[StreamEventName]

/** Null for an event that this version does not know or cannot read: a newer server sends it, or a proxy has cut it. */
export function readEvent(name: string, text: string): StreamEvent | null {
  if (!Object.hasOwn(readable, name)) return null
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const { data } = readable[name as StreamEventName].safeParse(json)
  return data === undefined ? null : ({ name, data } as StreamEvent)
}

/**
 * Writes what an event says into the local database, from which the engine learns what to fetch. Returns false if prices
 * were not taken because their source is not the settings' one: the next event would bring only what changes after it.
 */
export async function applyEvent(env: EngineEnv, target: StreamTarget, event: StreamEvent): Promise<boolean> {
  const { owner } = target
  switch (event.name) {
    case 'prices':
      return applyPrices(env, target.coins, event.data)
    case 'widgets':
      await noteListRevision(env, owner, event.data.revision)
      return true
    case 'account':
      await noteAccountRevision(env, owner, event.data.revision)
      return true
    case 'alert':
      await noteAlert(env, owner)
      return true
    case 'policies':
    case 'config':
    case 'closes':
      await noteAnnounced(env.db, event.name, event.data.version)
      return true
    case 'open':
    case 'bye':
      return true
  }
}

async function applyPrices(env: EngineEnv, asked: readonly CoinId[], data: Readable['prices']): Promise<boolean> {
  const accepted = new Map<CoinId, PolledPrice>()
  for (const coin of asked) {
    const read = price.safeParse(Object.hasOwn(data.prices, coin) ? data.prices[coin] : undefined)
    if (!read.success) continue
    const [usd, providerTime, via] = read.data
    if (!isPrice(usd)) continue
    accepted.set(coin, {
      usd,
      providerTime: localTime(providerTime, data.now, env.now()),
      asOf: data.as_of ?? data.now,
      ...(via !== null && { via }),
    })
  }
  if (accepted.size === 0) return true
  if (!(await agreesOnSource(env, data.source))) return false
  await writePrices(env.db, data.source, accepted, env.now(), data.now)
  return true
}

/**
 * The engine pulls where the revision is not the one held. A change of this device that is under way may be what the stream
 * speaks of: its answer says so.
 */
async function noteListRevision({ db }: EngineEnv, owner: OwnerId, revision: number): Promise<void> {
  await writeTransaction(db, [db.owners, db.outbox], async () => {
    const { list_revision, told_revision = null } = await readOwnerSyncState(db, owner)
    if (revision === list_revision) {
      if (told_revision !== null) await changeOwnerSyncState(db, owner, { told_revision: null })
      return
    }
    const underWay = (await readEntries(db, owner)).some((entry) => entry.state === 'leased')
    // A service worker of an earlier version knows `needs_pull` alone.
    await changeOwnerSyncState(db, owner, { told_revision: revision, ...(!underWay && { needs_pull: true }) })
  })
}

async function noteAccountRevision({ db }: EngineEnv, owner: OwnerId, revision: number): Promise<void> {
  if (isAnonymousOwner(owner)) return
  await writeTransaction(db, [db.owners], async () => {
    const { held_account, told_account } = await readOwnerSyncState(db, owner)
    if (revision === told_account) return
    const isHeld = revision === held_account
    await changeOwnerSyncState(db, owner, { told_account: revision, ...(!isHeld && { needs_account_refresh: true }) })
  })
}

/**
 * The crossing comes with a pull, and its list with it, whatever the widgets show: a server that was restored gives names
 * that are in this device's log already, and flags that this device has pulled before.
 */
async function noteAlert({ db }: EngineEnv, owner: OwnerId): Promise<void> {
  await writeTransaction(db, [db.owners], async () => {
    const { alerts_pull } = await readOwnerSyncState(db, owner)
    const asked = alerts_pull == null ? {} : { alerts_pull: { ...alerts_pull, epochs: '' } }
    await changeOwnerSyncState(db, owner, { needs_pull: true, ...asked })
  })
}
