import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { BellOff, BellRing } from 'lucide-react'
import { useAtomValue, useSetAtom } from 'jotai'
import type { AlertRow } from '../../db/rows'
import { type BoardView, findWidget, type RuleView, type WidgetView } from '../../db/view'
import { backLevel, SIDE_LOOKS, SIDES, UNJUDGED } from '../../domain/alerts'
import { kindWords, TRADES } from '../../domain/alert-notification'
import { formatRatio } from '../../domain/format-number'
import type { WidgetId } from '../../domain/ids'
import { sentenceCase } from '../../domain/sentence-case'
import { wayWords } from '../../domain/way-alerts'
import { pairTitle } from '../../domain/pair'
import { rearmAt } from '../../domain/preset-thresholds'
import { nowAtom, usePairRatio } from '../../state/live-data'
import { isWatched } from '../../state/watched-pairs'
import { showToastAtom } from '../../state/toasts'
import { useUpdateWidget } from '../../state/use-command'
import { Button, linkClass } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { Direction } from '../../ui/direction'
import { formatMoment } from '../../domain/local-time'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { fateWords, hasNoWay } from './fate-words'
import styles from './log-row.module.css'

/** Address of a pair's chart, with the state that the browser's history keeps. */
export type ChartAddress = (widget: WidgetId) => { readonly href: string; readonly state: unknown }

interface LogRowProps extends LogEntry {
  /** True if the user had not seen the alert before this visit. */
  readonly isNew: boolean
  /** When the alert fired, in words; with the day where no heading above has it. */
  readonly time: string
  /** The first of the rows that the user asked for: reading goes on there. */
  readonly takesFocus: boolean
  readonly chartLink: ChartAddress
  readonly onRearm: (eventId: string) => void
}

/** How this device announced the alert, unless its deliveries say so; null: it was synced too late to be announced. */
const channelOf = ({ by, quiet, deliveries }: AlertRow): string | null =>
  quiet === true ? null : by !== 'push' ? 'in the app' : isPushNamed(deliveries) ? null : 'by push'

const isPushNamed = (deliveries: AlertRow['deliveries'] = []): boolean =>
  deliveries.some(({ channel }) => channel === 'push')

/** "back at 04:05", with the day where the ratio came back on another day. */
const backOf = ({ at, back_at }: AlertRow): string | null =>
  back_at === undefined ? null : `back at ${formatMoment(back_at, at)}`

/** Focuses an element when reading goes on there. */
function useFocusOf(takesFocus: boolean) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (takesFocus) item.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return item
}

/** One alert that fired, and the button that arms its side again. */
export function LogRow({ row, fired, isNew, time, takesFocus, chartLink, onRearm }: LogRowProps) {
  const { side } = row
  const link = useRef<HTMLAnchorElement>(null)
  const isOfWay = wayWords(row) !== undefined
  const hasSide = row.kind !== UNJUDGED && !isOfWay
  const item = useFocusOf(takesFocus)
  return (
    <li ref={item} className={styles.row} data-side={hasSide ? side : 'none'} {...(takesFocus && { tabIndex: -1 })}>
      <span className={styles.mark}>
        {hasSide ? <Direction direction={SIDE_LOOKS[side].direction} /> : <BellOff aria-hidden="true" />}
      </span>
      <p className={styles.head}>
        {isOfWay ? (
          <Link className={styles.pair ?? ''} href="/settings">
            Ways to reach you
          </Link>
        ) : fired?.kind === 'gone' ? (
          <span className={styles.pair}>{row.pair}</span>
        ) : (
          <Link ref={link} className={styles.pair ?? ''} {...chartLink(row.widget_id)}>
            {row.pair}
          </Link>
        )}
        {isNew && <span className={styles.new}>New</span>}
      </p>
      <time className={styles.time} dateTime={new Date(row.at).toISOString()}>
        {time}
      </time>
      <p className={styles.what}>
        {row.kind === undefined ? (
          <>
            <strong className={styles.side}>{TRADES[side]}</strong> {formatRatio(row.ratio)} {SIDES[side].kind}{' '}
            {formatRatio(row.threshold)}
          </>
        ) : (
          sentenceCase(kindWords(row))
        )}
      </p>
      <Outcome row={row} fired={fired} />
      {fired?.kind === 'disarmed' && (
        <div className={styles.action}>
          <RearmButton
            widget={fired.widget}
            rule={fired.rule}
            onRearm={() => {
              onRearm(row.event_id)
              link.current?.focus()
            }}
          />
        </div>
      )}
    </li>
  )
}

/** Facts of the alert's deliveries and of its threshold since. */
function Outcome({ row, fired }: LogEntry) {
  const now = useAtomValue(nowAtom)
  const facts = [...fateWords(row, now), channelOf(row), backOf(row), fired && outcomeOf(fired)].filter(
    (fact) => fact !== null,
  )
  if (facts.length === 0) return null
  return (
    <p className={styles.outcome}>
      {sentenceCase(facts.join(' · '))}
      {hasNoWay(row) && (
        <>
          {' · '}
          <Link href="/settings" className={classNames(linkClass, styles.way)}>
            Ways to reach you
          </Link>
        </>
      )}
    </p>
  )
}

function outcomeOf(fired: ThresholdState): string {
  switch (fired.kind) {
    case 'armed':
      return `armed at ${formatRatio(fired.rule.level)}`
    case 'disarmed':
      return `re-arms by itself at ${formatRatio(backLevel(fired.rule))}`
    case 'cleared':
      return 'threshold removed'
    case 'unwatched':
      return 'alerts are off for this pair'
    case 'gone':
      return 'pair removed'
  }
}

interface RearmButtonProps {
  readonly widget: WidgetView
  readonly rule: RuleView
  /** Moves the focus: the button goes once the side is armed. */
  readonly onRearm: () => void
}

/** Arms the side at its threshold once the ratio is back, else further on. A toast says so: the button is gone by then. */
function RearmButton({ widget, rule: { side, level }, onRearm }: RearmButtonProps) {
  const at = rearmAt(side, level, usePairRatio(widget.coinA.id, widget.coinB.id))
  const update = useUpdateWidget(widget)
  const showToast = useSetAtom(showToastAtom)
  if (at === null) return null
  const rearm = async () => {
    onRearm()
    if (!(await update({ alerts: { [side]: { threshold: at, armed: true } } }))) return
    const message = `${SIDE_LOOKS[side].name} alert of ${pairTitle(widget)} armed at ${formatRatio(at)}.`
    showToast({ kind: 'success', message })
  }
  return (
    <Button size="sm" icon={BellRing} onClick={() => void rearm()}>
      {at === level ? 'Re-arm' : `Re-arm at ${formatRatio(at)}`}
      <VisuallyHidden>{pairTitle(widget)}</VisuallyHidden>
    </Button>
  )
}

/** Current state of the threshold that fired. */
export type ThresholdState =
  /** Armed: fires at the next crossing. Disarmed: waits for the ratio to come back; the user can arm it before that. */
  | { readonly kind: 'armed' | 'disarmed'; readonly widget: WidgetView; readonly rule: RuleView }
  /** Cleared: the side has no threshold any more. Unwatched: the pair's alerts are off, or its tier lets it be inactive. */
  | { readonly kind: 'cleared' | 'unwatched' }
  /** The pair has been removed. */
  | { readonly kind: 'gone' }

/** Null: an alert of no threshold, or of no pair. */
export function thresholdState(
  { widget_id, side, kind }: Pick<AlertRow, 'widget_id' | 'side' | 'kind'>,
  board: BoardView,
): ThresholdState | null {
  if (wayWords({ kind: kind ?? '' }) !== undefined) return null
  const widget = findWidget(board, widget_id)
  if (widget === undefined) return { kind: 'gone' }
  if (kind !== undefined) return null
  if (!isWatched(widget)) return { kind: 'unwatched' }
  const rule = widget.rules.find((one) => one.side === side)
  if (rule === undefined) return { kind: 'cleared' }
  return { kind: rule.armed ? 'armed' : 'disarmed', widget, rule }
}

export interface LogEntry {
  readonly row: AlertRow
  /** Current state of the threshold; null for all but the latest alert of a pair's side. */
  readonly fired: ThresholdState | null
}
