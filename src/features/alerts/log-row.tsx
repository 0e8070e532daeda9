import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { BellRing } from 'lucide-react'
import { useSetAtom } from 'jotai'
import type { AlertRow } from '../../db/rows'
import type { WidgetView } from '../../db/view'
import { type AlertSide, SIDE_NAMES } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import type { WidgetId } from '../../domain/ids'
import { pairTitle } from '../../domain/pair'
import { usePairRatio } from '../../state/live-data'
import { showToastAtom } from '../../state/toasts'
import { useWidgetMutation, fieldMutation } from '../../state/use-widget-mutation'
import { Button } from '../../ui/button'
import { Direction } from '../../ui/direction'
import { formatMoment } from '../../ui/format-time'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { type LogEntry, rearmAt, type ThresholdState } from './log-groups'
import styles from './log-row.module.css'

/** Address of a pair's chart, with the state that the browser's history keeps. */
export type ChartAddress = (widget: WidgetId) => { readonly href: string; readonly state: unknown }

interface LogRowProps extends LogEntry {
  /** True if the user had not seen it before this visit. */
  readonly isNew: boolean
  /** When it fired, in words; the day too where no heading above tells it. */
  readonly time: string
  /** The first of those that were asked for: reading goes on there. */
  readonly takesFocus: boolean
  readonly chartLink: ChartAddress
  readonly onRearm: (eventId: string) => void
}

const SIDES = {
  high: { direction: 'up', word: 'Sell', position: 'above' },
  low: { direction: 'down', word: 'Buy', position: 'below' },
} as const

const TOLD = { app: 'In the app', push: 'By push', sync: 'In the app' } as const

/** How this device told of it; null: it was brought home too late to be told. */
const toldOf = ({ by, quiet }: AlertRow): string | null => (quiet === true ? null : TOLD[by])

/** "back at 04:05", with the day where it is another one. */
const backOf = ({ at, back_at }: AlertRow): string | null =>
  back_at === undefined ? null : `back at ${formatMoment(back_at, at)}`

/** One alert that fired, and what can be done about it. */
export function LogRow({ row, fired, isNew, time, takesFocus, chartLink, onRearm }: LogRowProps) {
  const { direction, word, position } = SIDES[row.side]
  const link = useRef<HTMLAnchorElement>(null)
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (takesFocus) item.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const facts = [toldOf(row), backOf(row), fired && outcomeOf(fired)].filter((fact) => fact !== null)
  return (
    <li ref={item} className={styles.row} data-side={row.side} {...(takesFocus && { tabIndex: -1 })}>
      <span className={styles.mark}>
        <Direction direction={direction} />
      </span>
      <p className={styles.head}>
        {fired?.kind === 'gone' ? (
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
        <strong className={styles.side}>{word}</strong> {formatRatio(row.ratio)} {position} {formatRatio(row.threshold)}
      </p>
      {facts.length > 0 && <p className={styles.told}>{sentenceCase(facts.join(' · '))}</p>}
      {fired?.kind === 'disarmed' && (
        <div className={styles.action}>
          <RearmButton
            widget={fired.widget}
            side={row.side}
            threshold={fired.threshold}
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

const sentenceCase = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

function outcomeOf(fired: ThresholdState): string {
  switch (fired.kind) {
    case 'armed':
      return `armed at ${formatRatio(fired.threshold)}`
    case 'disarmed':
      return `re-arms by itself at ${formatRatio(fired.threshold)}`
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
  readonly side: AlertSide
  readonly threshold: number
  /** It goes with what it says: whoever had it in focus is led elsewhere. */
  readonly onRearm: () => void
}

/** Arms the side again: where it stands once the ratio is back, else a step further on. */
function RearmButton({ widget, side, threshold, onRearm }: RearmButtonProps) {
  const at = rearmAt(side, threshold, usePairRatio(widget.coinA.id, widget.coinB.id))
  const rearm = useRearm(widget)
  if (at === null) return null
  const press = () => {
    onRearm()
    void rearm(side, at)
  }
  return (
    <Button size="sm" icon={<BellRing aria-hidden="true" />} onClick={press}>
      {at === threshold ? 'Re-arm' : `Re-arm at ${formatRatio(at)}`}
      <VisuallyHidden>{pairTitle(widget)}</VisuallyHidden>
    </Button>
  )
}

/** Arms a side at a ratio, and says so: the button that was pressed is gone by then. */
function useRearm(widget: WidgetView): (side: AlertSide, at: number) => Promise<void> {
  const mutate = useWidgetMutation(widget)
  const showToast = useSetAtom(showToastAtom)
  return async (side, at) => {
    const alerts = { [side]: { threshold: at, armed: true } }
    if (!(await mutate(fieldMutation(widget, { alerts })))) return
    showToast({
      kind: 'success',
      message: `${SIDE_NAMES[side]} alert of ${pairTitle(widget)} armed at ${formatRatio(at)}.`,
    })
  }
}
