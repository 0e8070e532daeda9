import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { AlertRow } from '../../db/rows'
import type { WidgetId } from '../../domain/ids'
import { formatRatio } from '../../domain/format-ratio'
import { Direction } from '../../ui/direction'
import { formatMoment } from '../../ui/moment'
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
  /** The first of those that were asked for: reading goes on there. */
  readonly takesFocus: boolean
  readonly chartLink: ChartLink
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
