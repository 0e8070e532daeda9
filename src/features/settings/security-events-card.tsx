import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { SecurityEvent } from '../../contract/security-events'
import { MAX_SECURITY_EVENTS, SECURITY_EVENTS_PAGE } from '../../domain/account'
import { formatMoment, formatShortDateTime } from '../../domain/local-time'
import { accountAtom } from '../../state/account'
import { useAccountAnswer } from '../../state/calls'
import { useServices } from '../../state/services'
import { useOnline } from '../../ui/browser-state'
import { Button } from '../../ui/button'
import { classNames } from '../../ui/class-names'
import { CardActions, ListIcon, PageCard } from '../../ui/page'
import stack from '../../ui/stack.module.css'
import { ListFailed, ListPlaceholder } from './card-answer'
import { eventWordsOf } from './security-event-words'
import styles from './security-events-card.module.css'
import settingsStyles from './settings-page.module.css'

/** Logins and changes of how to log in, each with its browser and network, so that the user notices a stranger's. Absent for guests. */
export function SecurityEventsCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined || account.user === null || account.expired) return null
  return (
    <PageCard title="Security Events">
      <SecurityEvents key={account.owner} />
    </PageCard>
  )
}

/** Each press on "Show earlier" asks for so many times as many. */
const MORE_TIMES = 10

function SecurityEvents() {
  const { now } = useServices().commands
  const online = useOnline()
  const [limit, setLimit] = useState(SECURITY_EVENTS_PAGE)
  const [asked, again] = useAccountAnswer('securityEvents', { limit })

  if (asked.kind === 'waiting') return <ListPlaceholder what="security events" />
  if (asked.kind === 'failed') return <ListFailed what="security events" asked={asked} onRetry={again} />
  const { rows, total } = asked.value
  const free = online && !asked.pending
  return (
    <>
      <ul aria-label="Security events" className={stack.gap4}>
        {rows.map((event) => (
          <EventRow key={event.id} event={event} now={asked.at} />
        ))}
      </ul>
      <CardActions className={settingsStyles.row}>
        <p className={settingsStyles.text}>{hint(online, total, formatMoment(asked.at, now()))}</p>
        {total > rows.length && (
          <Button
            aria-disabled={!free || undefined}
            onClick={() => free && setLimit(Math.min(limit * MORE_TIMES, MAX_SECURITY_EVENTS))}
          >
            Show earlier
          </Button>
        )}
      </CardActions>
    </>
  )
}

function hint(online: boolean, total: number, asOf: string): string {
  if (!online) return `You are offline. This is as of ${asOf}.`
  if (total === 0) return 'Nothing has happened in the last 90 days.'
  return 'The last 90 days. Was one of these not you? Choose a new password, which logs out all other devices.'
}

function EventRow({ event, now }: { readonly event: SecurityEvent; readonly now: number }) {
  const { icon, alarming, sentence } = eventWordsOf(event)
  return (
    <li className={styles.row}>
      <ListIcon icon={icon} className={classNames(styles.icon, alarming && styles.alarming)} />
      <p className={styles.what}>{sentence}</p>
      <p className={styles.facts}>
        <time dateTime={event.at}>{formatShortDateTime(Date.parse(event.at), now)}</time>
        {event.browser !== null && <span>{event.browser}</span>}
        {event.network !== null && <span>Network {event.network}</span>}
      </p>
    </li>
  )
}
