import { formatBytes } from '../../domain/format-bytes'
import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { RotateCw } from 'lucide-react'
import { readPushRegistration } from '../../db/push-registration'
import { readAlerts } from '../../db/queries/alerts'
import { readMeta } from '../../db/database'
import type { MetaRows } from '../../db/rows'
import type { ChangeView } from '../../db/view'
import { boardAtom, historyUpdatedAtom, nowAtom, pricesAtom, syncStateAtom } from '../../state/live-data'
import { watchedPairsAtom } from '../../state/watched-pairs'
import { PUSH_WORDS, pushStateAtom } from '../../state/push'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { type Fact, Facts } from '../../ui/facts'
import { useStorageFacts, useWorkerLine } from '../../ui/device-facts'
import { formatMoment, updatedLine } from '../../domain/local-time'
import { Page, PageCard } from '../../ui/page'
import { useOnline } from '../../ui/browser-state'
import styles from './status-page.module.css'
import type { OwnerId } from '../../domain/ids'
import { isStreamLive, type PollingReason, type StreamState } from '../../db/stream-state'
import { formatAge } from '../../domain/format-time'

const APP_VERSION = `v${import.meta.env.VITE_APP_VERSION}`

/** Age of the data, state of the connection and of notifications, and use of the device's storage. */
export function StatusPage() {
  const { db } = useServices().commands
  const showToast = useSetAtom(showToastAtom)
  const now = useAtomValue(nowAtom)
  const sync = useAtomValue(syncStateAtom)
  const board = useAtomValue(boardAtom)
  const changes = board?.changes
  const stream = useLiveQuery(() => readMeta(db, 'stream'), [db])
  const coins = useLiveQuery(() => readMeta(db, 'coins'), [db])
  const online = useOnline()

  const refresh = () =>
    showToast({
      kind: 'info',
      message: 'Data refreshes by itself. To load everything anew, use Settings > Clear Cache.',
    })

  return (
    <Page title="Status" lead="How fresh the data on this device is.">
      <PageCard title="Data updates">
        <Facts
          facts={[
            { name: 'Live prices', value: updatedLine(useAtomValue(pricesAtom)?.polled_at, now) },
            { name: 'Price history', value: updatedLine(useAtomValue(historyUpdatedAtom) ?? undefined, now) },
            { name: 'Coin list', value: updatedLine(coins?.fetched_at, now) },
          ]}
        />
        <Button className={styles.refresh} icon={RotateCw} onClick={refresh}>
          Refresh data
        </Button>
      </PageCard>
      <PageCard title="Sync">
        <Facts
          facts={[
            { name: 'Connection', value: connectionLine(online, sync, now) },
            { name: 'Live updates', value: board === undefined ? '–' : streamLine(stream, board.owner, now) },
            { name: 'Last exchange', value: updatedLine(lastExchange(sync, stream), now) },
            { name: 'Waiting changes', value: count(changes, (state) => state !== 'failed') },
            { name: 'Refused changes', value: count(changes, (state) => state === 'failed') },
          ]}
        />
      </PageCard>
      <AlertsCard />
      <DeviceCard />
    </Page>
  )
}

function DeviceCard() {
  const storage = useStorageFacts()
  const worker = useWorkerLine()
  return (
    <PageCard title="This device">
      <Facts
        facts={[
          { name: 'Stored here', value: storage?.used == null ? '–' : formatBytes(storage.used) },
          {
            name: 'Kept by the browser',
            value: storage === undefined ? '–' : storage.persisted ? 'Until you remove it' : 'While there is room',
          },
          { name: 'Service worker', value: worker ?? '–' },
          { name: 'App version', value: APP_VERSION },
        ]}
      />
    </PageCard>
  )
}

const count = (changes: readonly ChangeView[] | undefined, which: (state: ChangeView['state']) => boolean) =>
  changes?.filter(({ state }) => which(state)).length ?? '–'

/** Milliseconds at which the server last said something, by an answer or on the stream; undefined: never. */
function lastExchange(sync: MetaRows['sync_state'] | undefined, stream: MetaRows['stream'] | undefined) {
  const last = Math.max(sync?.last_success_at ?? 0, stream?.heard_at ?? 0)
  return last === 0 ? undefined : last
}

/** State of the connection to the server, in one line. `now` in milliseconds. */
function connectionLine(online: boolean, sync: MetaRows['sync_state'] | undefined, now: number): string {
  if (!online) return 'Offline: no network'
  if (sync === undefined) return 'Not tried yet'
  if (sync.unreachable_since !== null) return `Offline: no answer since ${formatMoment(sync.unreachable_since, now)}`
  return sync.problem ?? 'Connected'
}

/** States whether alerts can reach this device, and names the last one. */
function AlertsCard() {
  const { db } = useServices().commands
  const now = useAtomValue(nowAtom)
  const push = useAtomValue(pushStateAtom)
  const board = useAtomValue(boardAtom)
  const registered = useLiveQuery(() => readPushRegistration(db), [db])?.registered
  const alerts = useLiveQuery(() => readAlerts(db), [db])
  const last = alerts?.[0]

  const facts: Fact[] = [
    { name: 'Pairs with alerts', value: useAtomValue(watchedPairsAtom) ?? '–' },
    { name: 'Notifications on this device', value: push === undefined ? '–' : PUSH_WORDS[push] },
  ]
  if (push === 'on') {
    const known = registered != null && registered.owner === board?.owner
    facts.push({ name: 'Known to the server', value: known ? 'Yes' : 'Not yet' })
  }
  facts.push({
    name: 'Last alert',
    value:
      last === undefined ? (alerts === undefined ? '–' : 'None yet') : `${last.pair}, ${updatedLine(last.at, now)}`,
  })
  return (
    <PageCard title="Alerts">
      <Facts facts={facts} />
    </PageCard>
  )
}

const WHY: Readonly<Record<PollingReason, string>> = {
  connecting: 'the live stream is being opened',
  reconnecting: 'the live stream broke off and is being opened again',
  hidden: 'the live stream rests while the app is hidden',
  unsupported: 'this server has no live stream',
  'held-back': 'a proxy holds the live stream back',
  failing: 'the live stream cannot be opened',
}

/**
 * How news reach this device, in one line.
 * @param now milliseconds
 */
function streamLine(stream: StreamState | undefined, owner: OwnerId, now: number): string {
  if (stream === undefined) return 'Polling'
  if (stream.kind === 'polling') return `Polling since ${formatMoment(stream.since, now)}: ${WHY[stream.reason]}`
  // The tab that held the stream was ended without notice, or is of another user.
  if (!isStreamLive(stream, owner, now))
    return `Polling: the live stream was last heard ${formatAge(now - stream.heard_at)}`
  const live = `Live since ${formatMoment(stream.since, now)}, heard ${formatAge(now - stream.heard_at)}`
  return stream.prices ? live : `${live}; prices are polled`
}
