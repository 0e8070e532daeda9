import { useSetAtom } from 'jotai'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { MyData } from '../../contract/my-data'
import { readLocalData } from '../../db/queries/local-data'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { AlertDialog } from '../../ui/alert-dialog'
import { BusyButton } from '../../ui/busy-button'
import { saveFile } from '../../ui/save-file'
import { dataFile, dataFileName } from './data-file'

const FAILED = 'Your data could not be loaded. Please try again later.'

/** Saves what server and browser have of whoever uses the app; without a network, what the browser has. */
export function DownloadData() {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const [state, setState] = useState<'idle' | 'busy' | 'unreachable'>('idle')

  const save = async (server: MyData | null) => {
    const now = commands.now()
    const name = dataFileName(now)
    saveFile(dataFile(server, await readLocalData(commands.db), now), name)
    showToast({ type: 'success', message: `Saved as ${name}.` })
  }
  const ask = async (): Promise<'idle' | 'unreachable'> => {
    const reply = await engine.ask({ kind: 'my-data' })
    if (reply.ok) await save(reply.value)
    else if (reply.status === 0) return 'unreachable'
    else showToast({ type: 'error', message: reply.message === '' ? FAILED : reply.message })
    return 'idle'
  }
  const orSaid = async (work: () => Promise<'idle' | 'unreachable'>) => {
    setState('busy')
    try {
      setState(await work())
    } catch (error) {
      reportError(error)
      showToast({ type: 'error', message: FAILED })
      setState('idle')
    }
  }
  return (
    <>
      <BusyButton
        busy={state === 'busy'}
        icon={<Download aria-hidden="true" />}
        onClick={() => {
          if (state !== 'busy') void orSaid(ask)
        }}
      >
        Download my data
      </BusyButton>
      {state === 'unreachable' && (
        <AlertDialog
          title="The server could not be reached"
          action="Save this browser’s part"
          tone="primary"
          onConfirm={() => void orSaid(async () => save(null).then(() => 'idle' as const))}
          onCancel={() => setState('idle')}
        >
          The server’s part needs a connection. What this browser has, your pairs and changes that still wait among it,
          can be saved now.
        </AlertDialog>
      )}
    </>
  )
}
