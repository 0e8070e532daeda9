import { useAtomValue, useSetAtom } from 'jotai'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { WindowReport } from '../../../../workers/api'
import type { PairView, WidgetView } from '../../../db/view'
import { messageOf, withoutStop } from '../../../domain/error-message'
import { formatSignificant } from '../../../domain/format-number'
import { chartPath } from '../../../domain/app-paths'
import { checkRoomForPair } from '../../../domain/new-pair'
import { pairTitle } from '../../../domain/pair'
import { breakEven } from '../../../domain/backtest'
import { swapCostOf } from '../../../domain/backtest-choices'
import { cannotPay, deviationThresholds, THRESHOLD_DEVIATIONS } from '../../../domain/deviation-thresholds'
import { showLimitAtom } from '../../../state/account'
import { useChartChoices } from '../../../state/chart-choices'
import { boardAtom } from '../../../state/live-data'
import { useAlertFeature } from '../../../state/server-settings'
import { useServices } from '../../../state/services'
import { showToastAtom } from '../../../state/toasts'
import { loadCommands, useCommand } from '../../../state/use-command'
import { Button, buttonClass } from '../../../ui/button'
import { FigureLink } from '../../../ui/figure-link'
import styles from './pair-statistics.module.css'

/** A window's figures, which thresholds are proposed from, and the current ratio. Undefined: not known yet; null: there are none. */
export type ProposalBasis = { readonly shown: WindowReport; readonly ratio: number } | null | undefined

type Thresholds = NonNullable<ReturnType<typeof deviationThresholds>>

interface AddPairCardProps {
  readonly pair: PairView
  /** The pair on the dashboard, this way round or the other; null: it is not there. */
  readonly widget: WidgetView | null
  readonly basis: ProposalBasis
}

const takeFocus = (element: HTMLElement | null): void => element?.focus()

/** Adds a pair while there is room for one more; else the press says that there is none. */
export function useAddPair(pair: PairView) {
  const board = useAtomValue(boardAtom)
  const showLimit = useSetAtom(showLimitAtom)
  const addWithThresholds = useAddWithThresholds(pair)
  const [isAdding, setAdding] = useState(false)
  const refusal = board === undefined ? null : checkRoomForPair(board.widgets.length, board.limits)
  return {
    isDisabled: refusal !== null || isAdding,
    /** Resolves to whether all of it is stored. */
    add: async (thresholds: Thresholds | null): Promise<boolean> => {
      if (isAdding) return false
      if (refusal !== null) {
        showLimit(refusal)
        return false
      }
      setAdding(true)
      const isAdded = await addWithThresholds(thresholds)
      setAdding(false)
      return isAdded
    },
  }
}

/** Adds the pair, with thresholds if the user wants the proposed ones, and says that it is on the dashboard. */
export function AddPairCard({ pair, widget, basis }: AddPairCardProps) {
  const { add, isDisabled } = useAddPair(pair)
  const [withThresholds, setWithThresholds] = useState(true)
  /** From the press on: the link that takes the button's place takes the focus too. */
  const [isNew, setNew] = useState(false)
  const cost = swapCostOf(useChartChoices().choices?.backtest)
  const isPegged = basis != null && basis.shown.deviation !== null && cannotPay(basis.shown.deviation, cost)
  const proposal = basis != null && !isPegged ? deviationThresholds(basis.shown, basis.ratio) : null

  // Of a pair that was there before, the page's head has all that can be done.
  if (widget !== null) return isNew ? <OnDashboard widget={widget} /> : null

  const onAdd = async () => {
    setNew(true)
    if (!(await add(withThresholds ? proposal : null))) setNew(false)
  }

  return (
    <section className={styles.add} aria-label="Your dashboard">
      {basis !== undefined && proposal === null && (
        <p>{isPegged ? pegWords(basis.shown, cost) : 'These days give no thresholds to propose.'}</p>
      )}
      {basis && proposal && (
        <>
          <label className={styles.proposal}>
            <input
              type="checkbox"
              checked={withThresholds}
              onChange={(event) => setWithThresholds(event.currentTarget.checked)}
            />
            <span>
              Tell me at {THRESHOLD_DEVIATIONS} <FigureLink figure="z">deviations</FigureLink> of {basis.shown.window}{' '}
              days: high <strong>{formatSignificant(proposal.high.threshold, 4)}</strong>, low{' '}
              <strong>{formatSignificant(proposal.low.threshold, 4)}</strong>
              {beyondWords(proposal)}
            </span>
          </label>
          <SwapNote shown={basis.shown} proposal={proposal} cost={cost} />
        </>
      )}
      <Button variant="primary" icon={Plus} aria-disabled={isDisabled} onClick={() => void onAdd()}>
        Add {pairTitle(pair)}
      </Button>
    </section>
  )
}

interface SwapNoteProps {
  readonly shown: WindowReport
  readonly proposal: Thresholds
  readonly cost: number
}

/** A level to be told at is none to swap at: from where on a swap there and back pays, and how far earlier ones went on. */
function SwapNote({ shown, proposal, cost }: SwapNoteProps) {
  const paysAt = (side: 'high' | 'low') => formatSignificant(breakEven(side, proposal[side].threshold, cost), 4)
  const further = [
    { name: 'high', move: shown.highs?.worstMove },
    { name: 'low', move: shown.lows?.worstMove },
  ].flatMap(({ name, move }) =>
    move == null ? [] : [`the worst ${name} went ${Math.round(100 * move)}\u00A0% further`],
  )
  return (
    <p className={styles.note}>
      A swap at the high one and back <FigureLink figure="break-even">pays fees and spread</FigureLink> below{' '}
      {paysAt('high')}, at the low one above {paysAt('low')} ({costWords(cost)} each).
      {further.length > 0 && ` Of earlier ones ${further.join(', ')}.`}
    </p>
  )
}

/** Such as "0.3 %". */
const costWords = (share: number): string => `${Number((100 * share).toPrecision(2))}\u00A0%`

const pegWords = ({ window, deviation }: WindowReport, cost: number): string =>
  `No thresholds are proposed: a deviation of ${window} days is ${costWords(deviation ?? 0)} here, so that a swap at ${THRESHOLD_DEVIATIONS} of them and back at the average did not pay its cost of ${costWords(cost)} each way.`

const OnDashboard = ({ widget }: { readonly widget: WidgetView }) => (
  <div className={styles.add}>
    <p>{pairTitle(widget)} is on your dashboard.</p>
    <Link href={chartPath(widget.id)} className={buttonClass({ variant: 'primary' })} ref={takeFocus}>
      Open its chart
    </Link>
  </div>
)

/** Adds a pair, then its thresholds; resolves to whether all of it is stored. A toast says how it went. */
function useAddWithThresholds(pair: PairView) {
  const run = useCommand()
  const showToast = useSetAtom(showToastAtom)
  const services = useServices()
  const isMarginOffered = useAlertFeature('margin')
  const title = pairTitle(pair)
  return async (thresholds: Thresholds | null): Promise<boolean> => {
    let failed = `Failed to add ${title}`
    const result = await run(
      async (context) => {
        const { addWidget, updateWidget, readProposedMargin } = await loadCommands()
        const added = await addWidget(context, { coinA: pair.coinA.id, coinB: pair.coinB.id })
        if (!added.ok || thresholds === null) return added
        failed = `${title} is on your dashboard, without thresholds`
        const margin = isMarginOffered ? await readProposedMargin(services, { ...pair, rules: [], margin: 0 }) : null
        const set = await updateWidget(context, added.value, { alerts: thresholds, ...(margin !== null && { margin }) })
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
function beyondWords({ high, low }: Thresholds): string {
  if (high.armed && low.armed) return '.'
  return `. The ratio is beyond the ${high.armed ? 'low' : 'high'} one now: that side begins disarmed, until the ratio has come back.`
}
