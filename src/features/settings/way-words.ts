import type { Channel, NewChannel } from '../../contract/channels'
import { formatClock } from '../../domain/format-time'
import { DAY } from '../../domain/granularity'
import { formatMoment, startOfDay } from '../../domain/local-time'

export type WebhookPreset = Extract<NewChannel, { kind: 'webhook' }>['preset']

/** Names of the ways, in the order in which they are offered. */
export const KIND_WORDS: Readonly<Record<Channel['kind'], string>> = {
  email: 'Email',
  webhook: 'Webhook',
  telegram: 'Telegram',
}
export const PRESET_WORDS: Readonly<Record<WebhookPreset, string>> = {
  json: 'JSON',
  ntfy: 'ntfy',
  discord: 'Discord',
  slack: 'Slack',
}

export const nameOfWay = ({ kind, name }: Channel): string => name ?? KIND_WORDS[kind]

/** Beside the name; empty where it says the same. */
export function kindOfWay({ kind, name, preset }: Channel): string {
  if (kind === 'webhook') return `${KIND_WORDS.webhook}, ${PRESET_WORDS[preset ?? 'json']}`
  return name === null ? '' : KIND_WORDS[kind]
}

/** True of a chat that has opened the link, until its owner says that it is theirs; afterwards it is off like others. */
export const isUnconfirmed = ({ kind, state, last_success_at, last_failure }: Channel): boolean =>
  kind === 'telegram' && state === 'off' && last_success_at === null && last_failure === null

const CODES: Readonly<Record<string, string>> = {
  TIMEOUT: 'nothing answered in time',
  NO_ANSWER: 'the connection ended without an answer',
  NOT_PUBLIC: 'its address is not on the public internet',
  NOT_ALLOWED: 'its address is not https',
  NO_BOT: 'this server has no bot any more',
  ENOTFOUND: 'no server was found at its address',
  EAI_AGAIN: 'no server was found at its address',
  ECONNREFUSED: 'the receiver refused the connection',
  ECONNRESET: 'the receiver closed the connection',
  blocked: 'the chat has blocked the bot',
  'chat not found': 'the chat is gone',
}

/** A failure's reason in words, as a part of a sentence. */
function reasonInWords({ kind }: Channel, reason: string): string {
  const who = kind === 'telegram' ? 'Telegram' : 'the receiver'
  const status = /^answered (\d+)$/.exec(reason)?.[1]
  if (status?.startsWith('3')) return `${who} answered with a redirect (${status}), which is not followed`
  if (status !== undefined) return `${who} answered ${status}`
  if (/^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)/.test(reason)) return 'its certificate is not trusted'
  return CODES[reason] ?? (reason === '' ? 'the reason is not known' : `the message was not taken (${reason})`)
}

let weekday: Intl.DateTimeFormat | undefined
/** Such as "09:10", "Monday 09:10", "21 Nov, 09:10"; both in milliseconds. */
function when(time: string, now: number): string {
  const at = Date.parse(time)
  const days = (startOfDay(now) - startOfDay(at)) / DAY
  if (days < 0.5 || days > 6.5) return formatMoment(at, now)
  weekday ??= new Intl.DateTimeFormat(undefined, { weekday: 'long' })
  return `${weekday.format(at)} ${formatClock(at)}`
}

/** How a way does. @param hasLink the page has the link that a chat must open */
export function stateOfWay(way: Channel, now: number, hasLink: boolean): string {
  const { kind, name, state, failing_since: since, last_success_at: success, last_failure: failure } = way
  if (kind === 'telegram' && name === null)
    return hasLink
      ? 'Open the link within five minutes and press Start there. Then confirm the chat here.'
      : 'No chat has opened the link, which is good for five minutes. Remove this and add another.'
  if (isUnconfirmed(way)) return 'This chat has opened the link. Is it yours? Nothing is sent there before you say so.'
  const reason = failure === null ? 'the reason is not known' : reasonInWords(way, failure.reason)
  switch (state) {
    case 'ended':
      return failure?.reason === 'answered 410' ? 'Ended: the receiver wants nothing more (410)' : `Ended: ${reason}`
    case 'failing':
      return since === null ? `Failing: ${reason}` : `Failing since ${when(since, now)}: ${reason}`
    case 'off':
      return since === null ? 'Off' : `Off, after failing since ${when(since, now)}: ${reason}`
    case 'on': {
      const last = success === null ? 'On, nothing sent yet' : `Last message ${when(success, now)}`
      if (failure === null || !isLater(failure.at, success)) return last
      return `${success === null ? 'On' : last}. Failed ${when(failure.at, now)}: ${reason}`
    }
  }
}

const isLater = (time: string, than: string | null): boolean => than === null || Date.parse(time) > Date.parse(than)

/** The outcome of a test, by the way as it is afterwards. */
export function testOutcome(way: Channel): { readonly kind: 'success' | 'error'; readonly message: string } {
  const { kind, last_success_at: success, last_failure: failure } = way
  const name = nameOfWay(way)
  if (kind === 'email') return { kind: 'success', message: `A test is on its way to ${name}.` }
  if (failure !== null && isLater(failure.at, success))
    return { kind: 'error', message: `The test did not arrive at ${name}: ${reasonInWords(way, failure.reason)}.` }
  return { kind: 'success', message: `The test has arrived at ${name}.` }
}
