import { useSetAtom } from 'jotai'
import { FileDown, FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { loadSetup } from '../../db/commands/load-setup'
import { chartChoicesOf, dashboardChoiceOf } from '../../db/setup-device'
import { chartChoicesAtom } from '../../state/chart-choices'
import { dashboardChoiceAtom } from '../../state/dashboard-choice'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { BusyButton } from '../../ui/busy-button'
import { FormNote } from '../../ui/form-note'
import { saveFile } from '../../ui/save-file'
import { dataFileName } from './data-file'
import { applyDevice } from './setup-device'
import { type ChosenSetup, examine, setupBlob } from './setup-files'
import { SetupPreview } from './setup-preview'
import styles from './settings-page.module.css'

const NOT_SAVED = 'Your setup could not be saved. Please try again.'
const NOT_READ = 'This file could not be read. Please try again.'
const NOT_LOADED = 'Your setup could not be loaded, and nothing was changed. Please try again.'

/** Pairs and settings as a file, out of one browser and into another; needs neither an account nor a network. */
export function SetupRow() {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const setChartChoices = useSetAtom(chartChoicesAtom)
  const setDashboardChoice = useSetAtom(dashboardChoiceAtom)
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState<'saving' | 'reading' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ChosenSetup | null>(null)

  const during = async (what: 'saving' | 'reading', failure: string, work: () => Promise<string | null>) => {
    setBusy(what)
    setProblem(null)
    try {
      setProblem(await work())
    } catch (error) {
      reportError(error)
      setProblem(failure)
    }
    setBusy(null)
  }
  const save = async () => {
    const now = commands.now()
    const name = dataFileName(now, 'setup')
    saveFile(await setupBlob(commands.db, now), name)
    showToast({ type: 'success', message: `Saved as ${name}.` })
    return null
  }
  const read = async (file: File) => {
    const found = await examine(commands.db, file)
    if (typeof found === 'string') return found
    setChosen(found)
    return null
  }
  const load = async ({ setup, plan }: ChosenSetup) => {
    setChosen(null)
    const result = await loadSetup(commands, setup, plan)
    if (!result.ok) return result.message
    applyDevice(setup.device)
    const charts = chartChoicesOf(setup.device)
    if (charts !== null) setChartChoices(charts)
    const dashboard = dashboardChoiceOf(setup.device)
    if (dashboard !== null) setDashboardChoice(dashboard)
    engine.requestSync('command')
    showToast({ type: 'success', message: 'Setup loaded.' })
    return null
  }
  return (
    <div className={styles.more}>
      <p className={styles.text}>
        Your pairs with thresholds and checkpoints, and this device’s settings, as a file for another device: without an
        account, too.
      </p>
      <div className={styles.buttons}>
        <BusyButton
          busy={busy === 'saving'}
          icon={<FileDown aria-hidden="true" />}
          onClick={() => {
            if (busy === null) void during('saving', NOT_SAVED, save)
          }}
        >
          Download setup
        </BusyButton>
        <BusyButton
          busy={busy === 'reading'}
          icon={<FileUp aria-hidden="true" />}
          onClick={() => {
            if (busy === null) input.current?.click()
          }}
        >
          Load setup
        </BusyButton>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="Setup file"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file may be chosen again.
          currentTarget.value = ''
          if (file !== undefined) void during('reading', NOT_READ, () => read(file))
        }}
      />
      {problem !== null && (
        <div className={styles.note}>
          <FormNote tone="error">{problem}</FormNote>
        </div>
      )}
      {chosen !== null && (
        <SetupPreview
          chosen={chosen}
          onClose={() => setChosen(null)}
          onLoad={() => void during('reading', NOT_LOADED, () => load(chosen))}
        />
      )}
    </div>
  )
}
