import { useAtomValue, useSetAtom } from 'jotai'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { PairView, WidgetView } from '../../../db/view'
import { messageOf, withoutStop } from '../../../domain/error-message'
import { formatSignificant } from '../../../domain/format-number'
import { chartPath } from '../../../domain/app-paths'
import { checkRoomForPair } from '../../../domain/new-pair'
import { pairTitle } from '../../../domain/pair'
import { THRESHOLD_DEVIATIONS, type deviationThresholds } from '../../../domain/deviation-thresholds'
import { showLimitAtom } from '../../../state/account'
import { boardAtom } from '../../../state/live-data'
import { showToastAtom } from '../../../state/toasts'
import { loadCommands, useCommand } from '../../../state/use-command'
import { Button, buttonClass } from '../../../ui/button'
import { FigureLink } from '../../../ui/figure-link'
import styles from './pair-sheet.module.css'

/** Undefined: the figures that thresholds are proposed from are not known; null: these propose none. */
export type Proposal = ReturnType<typeof deviationThresholds> | undefined

interface AddPairCardProps {
  readonly pair: PairView
  /** The pair on the dashboard, this way round or the other; null: it is not there. */
  readonly widget: WidgetView | null
  readonly proposal: Proposal
  /** Days of the window that the proposal comes from. */
  readonly window: number
}

const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Adds the pair, with thresholds if the user wants the proposed ones; or says that it is on the dashboard. */
export function AddPairCard({ pair, widget, proposal, window }: AddPairCardProps) {
  const board = useAtomValue(boardAtom)
  const showLimit = useSetAtom(showLimitAtom)
  const add = useAddWithThresholds(pair)
  const [withThresholds, setWithThresholds] = useState(true)
  const [adding, setAdding] = useState(false)
  /** From the press on: the link that takes the button's place takes the focus too. */
  const [isNew, setNew] = useState(false)

  if (widget !== null) return <OnDashboard widget={widget} takesFocus={isNew} />

  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)
  const onAdd = async () => {
    if (refusal !== null) return showLimit(refusal)
    setAdding(true)
    setNew(true)
    const isAdded = await add(withThresholds && proposal ? proposal : null)
    setAdding(false)
    if (!isAdded) setNew(false)
  }

  return (
    <div className={styles.add}>
      {proposal === null && <p>These days give no thresholds to propose.</p>}
      {proposal && (
        <label className={styles.proposal}>
          <input
            type="checkbox"
            checked={withThresholds}
            onChange={(event) => setWithThresholds(event.currentTarget.checked)}
          />
          <span>
            With thresholds at {THRESHOLD_DEVIATIONS} <FigureLink figure="z">deviations</FigureLink> of {window} days:
            high <strong>{formatSignificant(proposal.high.threshold, 4)}</strong>, low{' '}
            <strong>{formatSignificant(proposal.low.threshold, 4)}</strong>
            {beyondWords(proposal)}
          </span>
        </label>
      )}
      <Button
        variant="primary"
        icon={Plus}
        aria-disabled={refusal !== null || adding}
        onClick={() => void (adding || onAdd())}
      >
        Add {pairTitle(pair)}
      </Button>
    </div>
  )
}

const OnDashboard = ({ widget, takesFocus }: { readonly widget: WidgetView; readonly takesFocus: boolean }) => (
  <div className={styles.add}>
    <p>{pairTitle(widget)} is on your dashboard.</p>
    <Link
      href={chartPath(widget.id)}
      className={buttonClass({ variant: 'primary' })}
      ref={takesFocus ? takeFocus : null}
    >
      Open its chart
    </Link>
  </div>
)

/** Adds a pair, then its thresholds; resolves to whether all of it is stored. A toast says how it went. */
function useAddWithThresholds(pair: PairView) {
  const run = useCommand()
  const showToast = useSetAtom(showToastAtom)
  const title = pairTitle(pair)
  return async (thresholds: NonNullable<Proposal> | null): Promise<boolean> => {
    let failed = `Failed to add ${title}`
    const result = await run(
      async (context) => {
        const { addWidget, updateWidget } = await loadCommands()
        const added = await addWidget(context, { coinA: pair.coinA.id, coinB: pair.coinB.id })
        if (!added.ok || thresholds === null) return added
        failed = `${title} is on your dashboard, without thresholds`
        const set = await updateWidget(context, added.value, { alerts: thresholds })
        return set.ok ? added : { ok: false, message: `${failed}: ${set.message}` }
      },
      (error) => `${failed}: ${withoutStop(messageOf(error))}.`,
    )
    if (!result.ok) return false
    const alerts = thresholds === null ? '' : ' Its alerts are off until you switch them on there.'
    showToast({ kind: 'success', message: `${title} added to your dashboard.${alerts}` })
    return true
  }
}

/** A side that the ratio is beyond would fire at once, and so begins disarmed. */
function beyondWords({ high, low }: NonNullable<Proposal>): string {
  if (high.armed && low.armed) return '.'
  return `. The ratio is beyond the ${high.armed ? 'low' : 'high'} one now: that side begins disarmed, until the ratio has come back.`
}
