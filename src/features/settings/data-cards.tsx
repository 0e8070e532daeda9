import { useAtomValue, useSetAtom } from 'jotai'
import { Download, Eraser, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { MyData } from '../../contract/my-data'
import type { AccountView } from '../../db/account'
import { clearCache, readLocalData } from '../../db/local-data'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import { accountAtom } from '../../state/account'
import { sentenceOf, useFreshSignIn } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { BusyButton } from '../../ui/form'
import { Button } from '../../ui/button'
import { CardActions, PageCard } from '../../ui/page'
import { saveFile } from '../../ui/save-file'
import { dataFile, dataFileName } from './data-files'
import { clearCachedFiles, DeleteAccountDialog, DeleteGuestDataDialog } from './delete-dialogs'
import styles from './settings-page.module.css'
import { SetupRow } from './setup-row'

/** All data about the user: as a file, and deleted. */
export function YourDataCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined) return null
  return (
    <PageCard title="Your Data">
      <div className={styles.row}>
        <p className={styles.text}>One file with everything that the server and this browser have of you.</p>
        <DownloadData />
      </div>
      <SetupRow key={`setup-${account.owner}`} />
      {/* Another user's data begins with everything closed. */}
      <DeleteData key={account.owner} account={account} />
    </PageCard>
  )
}

function DeleteData({ account: { owner, user } }: { readonly account: AccountView }) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <CardActions className={styles.row}>
      <p className={styles.text}>
        {user === null
          ? 'Everything of yours is deleted at once, at the server and in this browser.'
          : `Your account and everything in it is deleted after ${DELETION_GRACE_DAYS} days.`}
      </p>
      <Button className={styles.dangerous} icon={Trash2} onClick={() => setAsking(true)}>
        Delete my data
      </Button>
      {asking && user === null && <DeleteGuestDataDialog owner={owner} onClose={close} />}
      {asking && user !== null && <DeleteAccountDialog owner={owner} user={user} onClose={close} />}
    </CardActions>
  )
}

const FAILED = 'Your data could not be loaded. Please try again later.'

type DownloadState = 'idle' | 'busy' | 'unreachable'

/** Saves all that server and browser have of the user; without a network, the browser's part. */
function DownloadData() {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const withFreshSignIn = useFreshSignIn()
  const [state, setState] = useState<DownloadState>('idle')

  const save = async (server: MyData | null): Promise<DownloadState> => {
    const now = commands.now()
    const name = dataFileName(now)
    saveFile(dataFile(server, await readLocalData(commands.db), now), name)
    showToast({ kind: 'success', message: `Saved as ${name}.` })
    return 'idle'
  }
  const download = async (): Promise<DownloadState> => {
    const reply = await withFreshSignIn(() => engine.call('myData', {}))
    if (reply.ok) return save(reply.value)
    if (reply.status === 0) return 'unreachable'
    showToast({ kind: 'error', message: sentenceOf(reply, FAILED) })
    return 'idle'
  }
  const run = async (work: () => Promise<DownloadState>) => {
    setState('busy')
    try {
      setState(await work())
    } catch (error) {
      reportError(error)
      showToast({ kind: 'error', message: FAILED })
      setState('idle')
    }
  }
  return (
    <>
      <BusyButton
        busy={state === 'busy'}
        icon={Download}
        onClick={() => {
          if (state !== 'busy') void run(download)
        }}
      >
        Download my data
      </BusyButton>
      {state === 'unreachable' && (
        <AlertDialog
          title="The server could not be reached"
          action="Save this browser’s part"
          tone="primary"
          onConfirm={() => void run(() => save(null))}
          onCancel={() => setState('idle')}
        >
          The server’s part needs a connection. What this browser has, your pairs and changes that still wait among it,
          can be saved now.
        </AlertDialog>
      )}
    </>
  )
}

export function DataCard() {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [asking, setAsking] = useState(false)

  const clear = async () => {
    setAsking(false)
    try {
      await clearCache(commands.db)
      await clearCachedFiles()
      showToast({ kind: 'success', message: 'Cache cleared. Prices and history are being loaded anew.' })
    } catch (error) {
      reportError(error)
      showToast({ kind: 'error', message: 'Failed to clear cache. Please try again.' })
    }
    engine.requestSync('command')
  }
  return (
    <PageCard title="Data Management">
      <div className={styles.row}>
        <p className={styles.text}>Stored prices, price history and coin icons. Your pairs and waiting changes stay.</p>
        <Button icon={Eraser} onClick={() => setAsking(true)}>
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
