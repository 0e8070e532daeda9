import { useSetAtom } from 'jotai'
import { FileDown, FileUp } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { chartChoicesOf, dashboardChoiceOf, loadSetup } from '../../db/setup'
import { chartChoicesAtom } from '../../state/chart-choices'
import { dashboardChoiceAtom } from '../../state/dashboard-choice'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { BusyButton, FormNote } from '../../ui/form'
import { saveFile } from '../../ui/save-file'
import stack from '../../ui/stack.module.css'
import text from '../../ui/text.module.css'
import { applyDevice, type ChosenSetup, dataFileName, examine, setupBlob, themeOf } from './data-files'
import { CardActions } from '../../ui/page'
import styles from './settings-page.module.css'

const NOT_SAVED = 'Your setup could not be saved. Please try again.'
const NOT_READ = 'This file could not be read. Please try again.'
const NOT_LOADED = 'Your setup could not be loaded, and nothing was changed. Please try again.'

type Step =
  | { readonly kind: 'idle'; readonly problem: string | null }
  | { readonly kind: 'saving' | 'reading' | 'loading' }
  /** The user is asked whether to load it. */
  | { readonly kind: 'chosen'; readonly chosen: ChosenSetup }

const idle = (problem: string | null = null): Step => ({ kind: 'idle', problem })

/** The setup's way into a file and out of one. */
function useSetupFile() {
  const { commands, engine } = useServices()
  const showToast = useSetAtom(showToastAtom)
  const setChartChoices = useSetAtom(chartChoicesAtom)
  const setDashboardChoice = useSetAtom(dashboardChoiceAtom)
  const [step, setStep] = useState<Step>(idle())

  const during = async (kind: 'saving' | 'reading' | 'loading', failure: string, work: () => Promise<Step>) => {
    setStep({ kind })
    try {
      setStep(await work())
    } catch (error) {
      reportError(error)
      setStep(idle(failure))
    }
  }
  const save = async () => {
    const now = commands.now()
    const name = dataFileName(now, 'setup')
    saveFile(await setupBlob(commands.db, now), name)
    showToast({ kind: 'success', message: `Saved as ${name}.` })
    return idle()
  }
  const read = async (file: File): Promise<Step> => {
    const chosen = await examine(commands.db, file)
    return typeof chosen === 'string' ? idle(chosen) : { kind: 'chosen', chosen }
  }
  const load = async ({ setup, plan }: ChosenSetup) => {
    const result = await loadSetup(commands, setup, plan)
    if (!result.ok) return idle(result.message)
    applyDevice(setup.device)
    const charts = chartChoicesOf(setup.device)
    if (charts !== null) setChartChoices(charts)
    const dashboard = dashboardChoiceOf(setup.device)
    if (dashboard !== null) setDashboardChoice(dashboard)
    engine.requestSync('command')
    showToast({ kind: 'success', message: 'Setup loaded.' })
    return idle()
  }
  return {
    step,
    save: () => void during('saving', NOT_SAVED, save),
    read: (file: File) => void during('reading', NOT_READ, () => read(file)),
    load: (chosen: ChosenSetup) => void during('loading', NOT_LOADED, () => load(chosen)),
    leave: () => setStep(idle()),
  }
}

/** Saves pairs and settings as a file, and loads one; needs neither an account nor a network. */
export function SetupRow() {
  const { step, save, read, load, leave } = useSetupFile()
  const input = useRef<HTMLInputElement>(null)
  return (
    <CardActions className={styles.row}>
      <p className={styles.text}>
        Your pairs with thresholds and checkpoints, and this device’s settings, as a file for another device: without an
        account, too.
      </p>
      <div className={styles.buttons}>
        <BusyButton busy={step.kind === 'saving'} icon={FileDown} onClick={() => step.kind === 'idle' && save()}>
          Download setup
        </BusyButton>
        <BusyButton
          busy={step.kind === 'reading' || step.kind === 'loading'}
          icon={FileUp}
          onClick={() => step.kind === 'idle' && input.current?.click()}
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
          // Or the browser sends no event when the user chooses the same file again.
          currentTarget.value = ''
          if (file !== undefined) read(file)
        }}
      />
      {step.kind === 'idle' && step.problem !== null && (
        <div className={styles.note}>
          <FormNote tone="error">{step.problem}</FormNote>
        </div>
      )}
      {step.kind === 'chosen' && <SetupPreview chosen={step.chosen} onClose={leave} onLoad={() => load(step.chosen)} />}
    </CardActions>
  )
}

/** More names than these are counted, not listed. */
const MAX_NAMES = 8

const countOf = (count: number, thing = 'pair'): string => (count === 1 ? `1 ${thing}` : `${count} ${thing}s`)

interface SetupPreviewProps {
  readonly chosen: ChosenSetup
  readonly onLoad: () => void
  readonly onClose: () => void
}

/** Says how loading a setup would change this device, before anything is changed. */
function SetupPreview({ chosen: { setup, plan }, onLoad, onClose }: SetupPreviewProps) {
  const theme = themeOf(setup.device)
  const isNothing = plan.add.length === 0 && theme === null && !plan.changesViews
  return (
    <Dialog
      title="Load setup"
      onClose={onClose}
      footer={
        isNothing ? (
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" onClick={onLoad} data-autofocus>
              Load setup
            </Button>
          </>
        )
      }
    >
      <div className={stack.gap4}>
        {isNothing && <p className={styles.title}>Nothing in this setup can be added here.</p>}
        {plan.adds.length > 0 && (
          <Part title={`Adds ${countOf(plan.adds.length)}`} names={plan.adds}>
            With thresholds, alerts and checkpoints, in this order, behind the pairs that are here.
          </Part>
        )}
        {plan.there.length > 0 && (
          <Part title={`Skips ${countOf(plan.there.length)}`} names={plan.there}>
            Here already: {plan.there.length === 1 ? 'it stays as it is' : 'they stay as they are'}.
          </Part>
        )}
        {plan.beyond.length > 0 && (
          <Part title={`Leaves out ${countOf(plan.beyond.length)}`} names={plan.beyond}>
            More than your plan holds. Load this file again when there is room, such as after an upgrade.
          </Part>
        )}
        {plan.checkpointsBeyond > 0 && (
          <Part title={`Leaves out ${countOf(plan.checkpointsBeyond, 'checkpoint')}`}>
            More than your plan holds for a pair. The default ones come.
          </Part>
        )}
        {plan.rulesBeyond > 0 && (
          <Part title={`Leaves out ${countOf(plan.rulesBeyond, 'alert')}`}>
            More than your plan, or this server, holds beside thresholds.
          </Part>
        )}
        {plan.changesViews && <Part title="Takes over how charts and dashboard look" />}
        {theme !== null && <Part title={`Sets the theme to ${theme[0]!.toUpperCase()}${theme.slice(1)}`} />}
      </div>
    </Dialog>
  )
}

interface PartProps {
  readonly title: string
  readonly names?: readonly string[]
  readonly children?: ReactNode
}

const Part = ({ title, names = [], children }: PartProps) => (
  <section className={styles.part}>
    <h3 className={styles.title}>{title}</h3>
    {names.length > 0 && (
      <p className={styles.names}>
        {names.slice(0, MAX_NAMES).join(', ')}
        {names.length > MAX_NAMES && ` and ${names.length - MAX_NAMES} more`}
      </p>
    )}
    {children !== undefined && <p className={text.prose}>{children}</p>}
  </section>
)
