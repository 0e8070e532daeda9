import type { FastifyRequest } from 'fastify'
import { DEVICE_TOKEN_HEADER } from '../../../src/contract/session'
import { deviceLabel } from './device-label'

/** Facts that a request tells about the browser that sends it. */
export interface Visit {
  /** Such as "Chrome on Android"; null: unknown. */
  readonly deviceLabel: string | null
  /** The token that this server gave the browser at an earlier login; null: it has none. */
  readonly deviceToken: string | null
}

const DEVICE_TOKEN = /^[\w-]{43}$/

export function visitOf({ headers }: Pick<FastifyRequest, 'headers'>): Visit {
  const token = headers[DEVICE_TOKEN_HEADER]
  return {
    deviceLabel: deviceLabel(headers['user-agent']),
    deviceToken: typeof token === 'string' && DEVICE_TOKEN.test(token) ? token : null,
  }
}
