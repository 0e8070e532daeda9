import { useSetAtom } from 'jotai'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { clearCache } from '../../db/commands/clear-cache'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { Button } from '../../ui/button'
import { PageCard } from '../../ui/page'
import styles from './settings-page.module.css'

export function DataCard() {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [asking, setAsking] = useState(false)

  const clear = async () => {
    setAsking(false)
    try {
      await clearCache(commands.db)
      await clearCachedFiles()
      showToast({ type: 'success', message: 'Cache cleared. Prices and history are being loaded anew.' })
    } catch (error) {
      reportError(error)
      showToast({ type: 'error', message: 'Failed to clear cache. Please try again.' })
    }
    engine.requestSync('command')
  }
  return (
    <PageCard title="Data Management">
      <div className={styles.row}>
        <p className={styles.text}>Stored prices, price history and coin icons. Your pairs and waiting changes stay.</p>
        <Button icon={<Eraser aria-hidden="true" />} onClick={() => setAsking(true)}>
          Clear Cache
        </Button>
      </div>
      {asking && (
        <AlertDialog
          title="Clear the cache?"
          action="Clear Cache"
          onConfirm={() => void clear()}
          onCancel={() => setAsking(false)}
        >
          Charts and prices cannot be shown again until they have been loaded over the network.
        </AlertDialog>
      )}
    </PageCard>
  )
}

/** Deletes files fetched along the way, such as coin icons; the app's own files stay, or it would not open offline. */
export async function clearCachedFiles(): Promise<void> {
  // Plain http has no caches.
  if (!('caches' in globalThis)) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => !name.includes('precache')).map((name) => caches.delete(name)))
}
