import { createHash } from 'node:crypto'

/** A short name of a value's state. */
export const versionOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 12)

/**
 * State that a client has after an event: the event's id, which comes back as `Last-Event-ID`. The client reads nothing out
 * of it. Another process understands it as well, except for `prices`, whose numbers are a process's own.
 */
export interface Position {
  /** Short name of the owner, or of a guest who owns nothing yet: revisions of another one say nothing. */
  readonly audience: string
  readonly widgets: number
  readonly account: number
  readonly config: string
  readonly policies: string
  /** The process, the number of the last price sent, and the asked coins. */
  readonly prices: string
}

const PART = '([\\w-]*)'
const ID = new RegExp(`^${PART}\\.(\\d{1,15})\\.(\\d{1,15})\\.${PART}\\.${PART}\\.${PART}$`)

export const idOf = ({ audience, widgets, account, config, policies, prices }: Position): string =>
  `${audience}.${widgets}.${account}.${config}.${policies}.${prices}`

/** Null for an id that this version did not write. */
export function positionOf(id: string | undefined): Position | null {
  const found = ID.exec(id ?? '')
  if (found === null) return null
  const [, audience = '', widgets, account, config = '', policies = '', prices = ''] = found
  return { audience, widgets: Number(widgets), account: Number(account), config, policies, prices }
}
