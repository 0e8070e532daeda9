import { useRef } from 'react'
import { Link } from 'wouter'
import type { WidgetId } from '../../domain/ids'
import { formatRatio } from '../../domain/format-ratio'
import { formatClock } from '../../ui/days'
import { Direction } from '../../ui/direction'
import { formatDateTime } from '../../ui/moment'
import type { Fired } from './fired'
import type { LogEntry } from './log-groups'
import styles from './log-row.module.css'
import { RearmButton } from './rearm-button'

/** Where a pair's chart is: an address, and what the history is to remember with it. */
export type ChartLink = (widget: WidgetId) => { readonly href: string; readonly state: unknown }

interface LogRowProps extends LogEntry {
  /** Nobody had seen it before this visit. */
  readonly isNew: boolean
  /** Whether the day is no heading above it. */
  readonly dated: boolean
  readonly chartLink: ChartLink
}

const SIDES = {
  high: { direction: 'up', word: 'Sell', position: 'above' },
  low: { direction: 'down', word: 'Buy', position: 'below' },
} as const

/** One alert that fired, and what can be done about it. */
export function LogRow({ row, fired, isNew, dated, chartLink }: LogRowProps) {
  const { direction, word, position } = SIDES[row.side]
  const link = useRef<HTMLAnchorElement>(null)
  const outcome = fired && outcomeOf(fired)
  const told = row.by === 'push' ? 'By push' : 'In the app'
  return (
    <li className={styles.row} data-side={row.side} data-new={isNew}>
      <span className={styles.mark}>
        <Direction direction={direction} />
      </span>
      <div className={styles.text}>
        <p className={styles.head}>
          {fired?.kind === 'gone' ? (
            <span className={styles.pair}>{row.pair}</span>
          ) : (
            <Link ref={link} className={styles.pair ?? ''} {...chartLink(row.widget_id)}>
              {row.pair}
            </Link>
          )}
          {isNew && <span className={styles.new}>New</span>}
          <time className={styles.time} dateTime={new Date(row.at).toISOString()}>
            {dated ? formatDateTime(row.at) : formatClock(row.at)}
          </time>
        </p>
        <p className={styles.what}>
          <strong className={styles.side}>{word}</strong> {formatRatio(row.ratio)} {position}{' '}
          {formatRatio(row.threshold)}
        </p>
        <p className={styles.told}>
          {told}
          {outcome !== null && ` · ${outcome}`}
        </p>
      </div>
      {fired?.kind === 'disarmed' && (
        <div className={styles.action}>
          <RearmButton
            widget={fired.widget}
            side={row.side}
            threshold={fired.threshold}
            onRearm={() => link.current?.focus()}
          />
        </div>
      )}
    </li>
  )
}

function outcomeOf(fired: Fired): string {
  switch (fired.kind) {
    case 'armed':
      return `armed at ${formatRatio(fired.threshold)}`
    case 'disarmed':
      return `armed again once the ratio is back at ${formatRatio(fired.threshold)}`
    case 'cleared':
      return 'threshold removed'
    case 'unwatched':
      return 'alerts are off for this pair'
    case 'gone':
      return 'pair removed'
  }
}
