import { useRef } from 'react'
import { Link } from 'wouter'
import type { WidgetId } from '../../domain/ids'
import { formatRatio } from '../../domain/format-ratio'
import { Direction } from '../../ui/direction'
import type { Fired } from './fired'
import type { LogEntry } from './log-groups'
import styles from './log-row.module.css'
import { RearmButton } from './rearm-button'

/** Where a pair's chart is: an address, and what the history is to remember with it. */
export type ChartLink = (widget: WidgetId) => { readonly href: string; readonly state: unknown }

interface LogRowProps extends LogEntry {
  /** Nobody had seen it before this visit. */
  readonly isNew: boolean
  /** When it fired, in words; the day too where no heading above tells it. */
  readonly time: string
  readonly chartLink: ChartLink
  readonly onRearm: (eventId: string) => void
}

const SIDES = {
  high: { direction: 'up', word: 'Sell', position: 'above' },
  low: { direction: 'down', word: 'Buy', position: 'below' },
} as const

const TOLD = { app: 'In the app', push: 'By push', sync: 'In the app' } as const

/** One alert that fired, and what can be done about it. */
export function LogRow({ row, fired, isNew, time, chartLink, onRearm }: LogRowProps) {
  const { direction, word, position } = SIDES[row.side]
  const link = useRef<HTMLAnchorElement>(null)
  return (
    <li className={styles.row} data-side={row.side}>
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
      <p className={styles.told}>{[TOLD[row.by], fired && outcomeOf(fired)].filter(Boolean).join(' · ')}</p>
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

function outcomeOf(fired: Fired): string {
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
