import { createHmac, randomBytes } from 'node:crypto'
import { alertSentence } from '../../../src/domain/alert-notification'
import { SIDES } from '../../../src/domain/alerts'
import { chartPath } from '../../../src/domain/app-paths'
import type { WidgetId } from '../../../src/domain/ids'
import { pairTitle } from '../../../src/domain/pair'
import { WAY_TITLE, wayWords } from '../../../src/domain/way-alerts'
import type { alert_events } from '../../db/schema/alerts'
import { eventIdOf, kindFields } from '../alerts/event-wire'
import { PRODUCT } from '../mail/mail-templates'
import type { ChannelTarget } from './channel-queue'

/** One crossing, as a receiver is told of it (preset `json`). */
interface ToldAlert {
  readonly event_id: string
  readonly pair: string
  readonly coin_a_id: string
  readonly coin_b_id: string
  readonly kind: 'above' | 'below' | Exclude<Crossing['kind'], 'threshold'>
  /** Of a rule in the unit of its kind. Null: an extreme, which has none. */
  readonly level: number | null
  /** The judged figure: of a threshold the ratio, of an extreme the share of the days with a ratio below, else in the level's unit. */
  readonly measure: number
  /** Of an extreme: how many days those are. */
  readonly days?: number
  /** Of a rule that has one. */
  readonly window?: string | number
  readonly ratio: number
  readonly crossed_at: string
  readonly note: string | null
  readonly url: string
}

/** A message for a channel, in all its forms. */
export interface ChannelMessage {
  /** The same at each try: of one alert its event's, of several the batch's. */
  readonly id: string
  /** `alert.crossed`, `alert.digest` or `alert.test`, with its data. */
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: object }
  readonly title: string
  readonly lines: readonly string[]
  /** The pair's chart, or the list of alerts. */
  readonly url: string
  /** Addresses of the app that a receiver may offer. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

type Crossing = Omit<typeof alert_events.$inferSelect, 'id' | 'owner_id' | 'back_at' | 'delivery' | 'held_until'>

function toldAlert(origin: string, crossing: Crossing): ToldAlert {
  const { side, coin_a_id, coin_b_id, ratio, threshold, crossed_at } = crossing
  const { kind = SIDES[side].kind, measure = ratio, days, level, window, note = null } = kindFields(crossing)
  const widget_id = crossing.widget_id as WidgetId
  return {
    event_id: eventIdOf(crossing),
    pair: pairTitle({ coinA: { symbol: crossing.coin_a_symbol }, coinB: { symbol: crossing.coin_b_symbol } }),
    coin_a_id,
    coin_b_id,
    kind,
    level: crossing.kind === 'threshold' ? threshold : (level ?? null),
    measure,
    ...(days !== undefined && { days }),
    ...(window !== undefined && { window }),
    ratio,
    crossed_at: crossed_at.toISOString(),
    note,
    url: `${origin}${isOfWay(crossing) ? '/settings' : chartPath(widget_id)}`,
  }
}

/** Beside the newest crossing, of whose pair it says nothing. */
const isOfWay = ({ kind }: { readonly kind: string }): boolean => wayWords({ kind }) !== undefined

const alertLine = (crossing: Crossing, { pair, kind, note, ...told }: ToldAlert): string =>
  alertSentence({
    pair,
    side: crossing.side,
    ratio: told.ratio,
    threshold: told.level ?? told.ratio,
    at: crossing.crossed_at.getTime(),
    ...(kind !== 'above' && kind !== 'below' && { ...told, kind, ...(note !== null && { note }) }),
  })

/** @param batch at least one crossing; `size` crossings were in the first try */
export function alertsMessage(
  origin: string,
  { id, size }: { readonly id: string; readonly size: number },
  crossings: readonly Crossing[],
): ChannelMessage {
  const alerts = crossings.map((crossing) => toldAlert(origin, crossing))
  const newest = alerts.at(-1)!
  const timestamp = newest.crossed_at
  const log = `${origin}/alerts`
  const alone = size === 1
  const settings = { label: 'Settings', url: `${origin}/settings` }
  return {
    id: alone ? newest.event_id : id,
    event: alone
      ? { type: 'alert.crossed', timestamp, data: newest }
      : { type: 'alert.digest', timestamp, data: { alerts } },
    title: !alone ? `${alerts.length} ratio alerts` : isOfWay(newest) ? WAY_TITLE : newest.pair,
    lines: crossings.map((crossing, index) => alertLine(crossing, alerts[index]!)),
    url: alone ? newest.url : log,
    links: [
      ...(isOfWay(newest) ? [] : [{ label: 'Open chart', url: newest.url }]),
      { label: 'All alerts', url: log },
      settings,
    ],
  }
}

export const testMessage = (origin: string, now: number): ChannelMessage => ({
  id: `test:${randomBytes(16).toString('base64url')}`,
  event: { type: 'alert.test', timestamp: new Date(now).toISOString(), data: { url: `${origin}/alerts` } },
  title: PRODUCT,
  lines: [`This is a test of ${PRODUCT}. Its alerts arrive like this.`],
  url: `${origin}/alerts`,
  links: [{ label: 'All alerts', url: `${origin}/alerts` }],
})

/** The lines that fit, and how many do not. */
export function linesWithin(lines: readonly string[], most: number): string {
  const all = lines.join('\n')
  if (all.length <= most) return all
  const kept: string[] = []
  let length = ' and 99 more'.length
  for (const line of lines) {
    length += line.length + 1
    if (length > most) break
    kept.push(line)
  }
  return [...kept, `and ${lines.length - kept.length} more`].join('\n')
}

const SECRET = 'whsec_'
export const newSigningSecret = (): string => `${SECRET}${randomBytes(32).toString('base64')}`

/** Headers of Standard Webhooks; two signatures while a secret is changed. */
function signedHeaders(
  channel: ChannelTarget,
  id: string,
  body: string,
  now: number,
): Readonly<Record<string, string>> {
  const { secret, previous_secret, previous_until } = channel
  const stillGood = previous_until !== null && previous_until.getTime() > now ? previous_secret : null
  const seconds = String(Math.floor(now / 1000))
  const signatures = [secret, stillGood].flatMap((key) => {
    if (key === null) return []
    const hmac = createHmac('sha256', Buffer.from(key.slice(SECRET.length), 'base64'))
    return [`v1,${hmac.update(`${id}.${seconds}.${body}`).digest('base64')}`]
  })
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') }
}

/** Characters, of Discord's and ntfy's texts. */
const DISCORD_TEXT = 2000
const NTFY_TEXT = 1000

/** ntfy's topic is the last part of the address that its apps subscribe to; null: there is none. */
export function ntfyTopic(address: URL): { readonly server: string; readonly topic: string } | null {
  const { origin, pathname } = address
  const [, base = '/', topic] = /^(.*\/)([-_A-Za-z0-9]{1,64})\/?$/.exec(pathname) ?? []
  return topic === undefined ? null : { server: `${origin}${base}`, topic }
}

/** Slack reads these characters as its own markup. */
const slackText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Request to a webhook's receiver. @param now milliseconds since 1970 */
export function webhookRequest(
  channel: ChannelTarget,
  message: ChannelMessage,
  now: number,
): { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const { url: address, preset, bearer } = channel
  const { title, lines, url: click, links } = message
  const ntfy = preset === 'ntfy' ? ntfyTopic(new URL(address ?? '')) : null
  const written = {
    json: () => message.event,
    ntfy: () => ({
      topic: ntfy?.topic,
      title,
      message: linesWithin(lines, NTFY_TEXT),
      priority: 4,
      click,
      actions: links.map(({ label, url }) => ({ action: 'view', label, url })),
    }),
    discord: () => ({ content: linesWithin([...lines, click], DISCORD_TEXT), allowed_mentions: { parse: [] } }),
    slack: () => ({ text: [...lines.map(slackText), click].join('\n') }),
  }
  const body = JSON.stringify(written[preset ?? 'json']())
  return {
    url: ntfy?.server ?? address ?? '',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'crypto-ratio-tracker',
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...signedHeaders(channel, message.id, body, now),
    },
    body,
  }
}
