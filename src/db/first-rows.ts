import { RENAMED, type Row } from './renamed-rows'
import type { OutboxEntry } from './outbox-entry'
import type {
  BoardRows,
  CheckpointRow,
  IdRow,
  MetaKey,
  MetaRow,
  MetaRows,
  OwnerRow,
  PricesRow,
  SessionRow,
  WidgetRow,
} from './rows'

export const DATABASE_NAME = 'ratio-tracker'
export const DATABASE_VERSION = 4
/** Dexie leaves room between its versions for those of the browser. */
const BROWSER_VERSION = 10 * DATABASE_VERSION

/** Everything that the first screen shows. */
export interface FirstRows extends BoardRows {
  readonly prices: PricesRow | undefined
  readonly policies: MetaRows['policies'] | undefined
  readonly config: MetaRows['config'] | undefined
  readonly choice: MetaRows['dashboard'] | undefined
  readonly push: MetaRows['push'] | undefined
}

export type FirstRead =
  | { readonly kind: 'rows'; readonly rows: FirstRows }
  /** There is no database yet: the first visit. */
  | { readonly kind: 'none' }
  /** Another version of the app has made it, and Dexie has to upgrade it first. */
  | { readonly kind: 'other-version' }

/**
 * Reads the first screen's rows in one transaction of the browser's own interface: Dexie, a fifth of the first route, comes
 * after the paint (decision 0146). Changes nothing, and makes no database where there is none.
 * @throws DOMException if the browser refuses the database
 */
export async function readFirstRows(name = DATABASE_NAME): Promise<FirstRead> {
  const db = await openExisting(name)
  if (db === null) return { kind: 'none' }
  try {
    return db.version === BROWSER_VERSION ? { kind: 'rows', rows: await readRows(db) } : { kind: 'other-version' }
  } finally {
    db.close()
  }
}

/** Null: there is none. */
function openExisting(name: string): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    let isNew = false
    request.addEventListener('upgradeneeded', () => {
      isNew = true
      request.transaction?.abort()
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', (event) => {
      // Firefox reports an aborted creation on the page as well.
      event.preventDefault()
      if (isNew) resolve(null)
      else reject(request.error)
    })
  })
}

/** All requests are made at once: each further wait for the database would delay the screen. */
async function readRows(db: IDBDatabase): Promise<FirstRows> {
  const transaction = db.transaction(['session', 'owners', 'widgets', 'checkpoints', 'outbox', 'ids', 'prices', 'meta'])
  const all = <T>(table: string) => answerOf<T[]>(transaction.objectStore(table).getAll())
  const one = <T>(table: string, key: string) => answerOf<T | undefined>(transaction.objectStore(table).get(key))
  const meta = <K extends MetaKey>(key: K) => one<MetaRow<K>>('meta', key)
  const [session, owners, widgets, checkpoints, outbox, ids, prices, tiers, coins, policies, config, choice, push] =
    await Promise.all([
      one<SessionRow>('session', 'current'),
      all<Row>('owners'),
      all<WidgetRow>('widgets'),
      all<CheckpointRow>('checkpoints'),
      all<OutboxEntry>('outbox'),
      all<IdRow>('ids'),
      one<Row>('prices', 'usd'),
      meta('tier_limits'),
      meta('coins'),
      meta('policies'),
      meta('config'),
      meta('dashboard'),
      meta('push'),
    ])
  return {
    session,
    owners: owners.map(RENAMED.owners) as unknown as readonly OwnerRow[],
    widgets,
    checkpoints,
    outbox,
    ids,
    prices: prices && (RENAMED.prices(prices) as unknown as PricesRow),
    tiers: tiers?.value,
    coins: coins?.value,
    policies: policies?.value,
    config: config?.value,
    choice: choice?.value,
    push: push?.value,
  }
}

const answerOf = <T>(request: IDBRequest): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result as T))
    request.addEventListener('error', () => reject(request.error))
  })
