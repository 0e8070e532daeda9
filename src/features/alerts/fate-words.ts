import type { AlertRow, StoredDelivery } from '../../db/rows'
import { DAY, MINUTE } from '../../domain/granularity'
import { formatMoment } from '../../domain/local-time'

/** A browser shows an alert within so many milliseconds of being sent it, or not at all. */
const SHOWN_WITHIN = 10 * MINUTE
/** The server has ended every delivery so many milliseconds after a crossing; one that is open here has not been heard of since. */
const OPEN_FOR = 3 * DAY

/** Reasons of the server, as the end of "Not sent: ". */
const NOT_SENT: Readonly<Record<string, string>> = {
  paused: 'alerts were paused',
  snoozed: 'snoozed',
  'switched-off': 'its alert was switched off',
  'widget-gone': 'its pair was removed',
  'account-closed': 'the account was closed',
  'too-late': 'the server could not send it within an hour',
  'no-way': 'notifications were off on every device, and no other way was set up',
  'older-app': 'your devices had an older version of the app',
  'device-gone': 'the device had given up its notifications',
}

/** Reasons of one browser or channel, as the end of "Not sent to iPhone · Safari: ". */
const FAILED: Readonly<Record<string, string>> = {
  refused: 'its push service refuses us until notifications are switched on anew there',
  undeliverable: 'it was not taken',
  'too-late': 'it could not be reached in time',
  unwanted: 'paused or switched off meanwhile',
  superseded: 'a later alert took its place',
  'channel-off': 'it was switched off',
}

const WAYS: Readonly<Record<string, string>> = { email: 'Email', webhook: 'Webhook', telegram: 'Telegram' }

/** "Safari on iPhone" as "iPhone · Safari". */
const deviceName = (name: string): string => {
  const [browser = '', system] = name.split(' on ')
  return system === undefined ? browser : browser === 'A browser' ? system : `${system} · ${browser}`
}

const nameOf = ({ channel, name }: StoredDelivery): string =>
  channel === 'push'
    ? name === null
      ? 'your device'
      : deviceName(name)
    : [WAYS[channel] ?? channel, name].filter(Boolean).join(' ')

function wordsOf(delivery: StoredDelivery, row: AlertRow, now: number): string | null {
  const { channel, state, at, confirms, reason = '' } = delivery
  const name = nameOf(delivery)
  const time = at === null ? '' : ` ${formatMoment(at, row.at)}`
  switch (state) {
    case 'shown':
      return `shown on ${name}${time}`
    case 'sent':
      if (channel !== 'push') return `${name} sent${time}`
      return `sent to ${name}${time}${confirms === true && at !== null && now - at > SHOWN_WITHIN ? ', not shown' : ''}`
    case 'failed':
      return `not sent to ${name}: ${FAILED[reason] ?? 'it failed'}`
    case 'waiting':
      return now - row.at > OPEN_FOR ? null : `waiting for ${name}`
    default:
      // Held: the row says until when.
      return null
  }
}

/** Until when it was held, or why it was sent to nobody; null: neither is known. */
function wholeFate({ at, held_until, not_sent, loudness, deliveries = [] }: AlertRow): string | null {
  const reason = not_sent ?? (held_until === null ? 'paused' : undefined)
  if (reason === 'device-gone' && deliveries.length > 0) return 'one device had given up its notifications'
  if (loudness === 'log' || reason === 'log-only') return 'in the log only'
  if (reason !== undefined) return `not sent: ${NOT_SENT[reason] ?? reason}`
  return held_until == null ? null : `held until ${formatMoment(held_until, at)}`
}

/**
 * Outcomes of an alert on its ways to its owner, in words without capitals; empty: not known, or no longer.
 * @param now milliseconds
 */
export function fateWords(row: AlertRow, now: number): readonly string[] {
  const each = (row.deliveries ?? []).map((one) => wordsOf(one, row, now))
  return [wholeFate(row), ...each].filter((words) => words !== null)
}

/** True: nothing tells its owner while the app is closed. */
export const hasNoWay = ({ not_sent }: AlertRow): boolean => not_sent === 'no-way'
