import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { RotateCw } from 'lucide-react'
import { readMeta } from '../../db/queries/meta'
import type { ChangeView } from '../../db/view'
import { boardAtom, historyUpdatedAtom, nowAtom, pricesAtom, syncStateAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Facts } from '../../ui/facts'
import { formatBytes } from '../../ui/format-bytes'
import { Page, PageCard } from '../../ui/page'
import { updatedLine } from '../../ui/updated-line'
import { useOnline } from '../../ui/use-online'
import { useStorageFacts } from '../../ui/use-storage-facts'
import { useWorkerLine } from '../../ui/use-worker-line'
import { AlertsCard } from './alerts-card'
import { connectionLine } from './connection-line'
import styles from './status-page.module.css'

const APP_VERSION = `v${import.meta.env.VITE_APP_VERSION}`

/** How fresh everything is, where it is kept, and what waits. */
export function StatusPage() {
  const { db } = useServices().commands
  const showToast = useSetAtom(showToastAtom)
  const now = useAtomValue(nowAtom)
  const sync = useAtomValue(syncStateAtom)
  const changes = useAtomValue(boardAtom)?.changes
  const coins = useLiveQuery(() => readMeta(db, 'coins'), [db])
  const online = useOnline()
  const storage = useStorageFacts()
  const worker = useWorkerLine()

  const refresh = () =>
    showToast({
      type: 'info',
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
        <Button className={styles.refresh} icon={<RotateCw aria-hidden="true" />} onClick={refresh}>
          Refresh data
        </Button>
      </PageCard>
      <PageCard title="Sync">
        <Facts
          facts={[
            { name: 'Connection', value: connectionLine(online, sync, now) },
            { name: 'Last exchange', value: updatedLine(sync?.last_success_at ?? undefined, now) },
            { name: 'Waiting changes', value: count(changes, (state) => state !== 'failed') },
            { name: 'Refused changes', value: count(changes, (state) => state === 'failed') },
          ]}
        />
      </PageCard>
      <AlertsCard />
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
    </Page>
  )
}

const count = (changes: readonly ChangeView[] | undefined, which: (state: ChangeView['state']) => boolean) =>
  changes?.filter(({ state }) => which(state)).length ?? '–'
