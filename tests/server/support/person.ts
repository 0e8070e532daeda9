import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ErrorBody } from '../../../src/contract/errors'
import type { Widget } from '../../../src/contract/widget'
import type { Database } from '../../../server/db/open'
import type { Env } from '../../../server/env'

export type Headers = Readonly<Record<string, string>>
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An app, and what it runs on. */
export interface RunningApp {
  readonly app: FastifyInstance
  readonly database: Database
  readonly env: Env
  readonly clock: () => number
}

export interface Answered<T> {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The body, as whatever the test expects it to be; undefined for an empty one. */
  readonly body: T
}

/** How a call ended: its status, and the code of a refusal. */
export const verdict = ({ status, body }: Answered<ErrorBody>) => [status, body.error_code]

/** A caller of the API; each mutation has a key of its own unless one is given. */
export interface Person {
  /** The headers that say who it is. */
  identity(): Promise<Headers>
  ask<T = unknown>(method: Method, path: string, body?: unknown, headers?: Headers): Promise<Answered<T>>
  list(): Promise<readonly Widget[]>
  /** Adds a pair and expects that to work. */
  add(coinA: string, coinB: string, op?: string): Promise<Widget>
  create(body: unknown, op?: string): Promise<Answered<Widget & ErrorBody & { readonly widget: Widget }>>
  update(id: string, body: unknown, op?: string): Promise<Answered<Widget & ErrorBody>>
  remove(id: string, op?: string): Promise<Answered<ErrorBody | undefined>>
  reorder(ids: readonly string[], op?: string): Promise<Answered<readonly Widget[] & ErrorBody>>
}

/** A request with a body, if any, as JSON. */
export async function request<T>(
  app: FastifyInstance,
  method: Method,
  path: string,
  body: unknown,
  headers: Headers,
): Promise<Answered<T>> {
  const response = await app.inject({
    method,
    url: path.startsWith('/api') ? path : `/api/v1${path}`,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  const parsed: unknown = response.payload === '' ? undefined : JSON.parse(response.payload)
  return { status: response.statusCode, headers: response.headers, body: parsed as T }
}

export const key = (op: string | undefined): Headers => ({ 'idempotency-key': op ?? randomUUID() })

/** The time at which a test's checkpoints were saved. */
export const SAVED_AT = '2026-01-15T12:00:00.000Z'

/** @param identity gives the headers that say who it is, at each request anew */
export function person(app: FastifyInstance, identity: () => Promise<Headers>): Person {
  const ask = async <T>(method: Method, path: string, body?: unknown, headers: Headers = {}) =>
    request<T>(app, method, path, body, { ...(await identity()), ...headers })
  return {
    identity,
    ask,
    list: async () => (await ask<Widget[]>('GET', '/widgets')).body,
    add: async (coinA, coinB, op) => {
      const made = await ask<Widget>('POST', '/widgets', { coin_a_id: coinA, coin_b_id: coinB }, key(op))
      if (made.status !== 201) throw new Error(`${made.status} ${JSON.stringify(made.body)}`)
      return made.body
    },
    create: (body, op) => ask('POST', '/widgets', body, key(op)),
    update: (widget, body, op) => ask('PUT', `/widgets/${widget}`, body, key(op)),
    remove: (widget, op) => ask('DELETE', `/widgets/${widget}`, undefined, key(op)),
    reorder: (ids, op) => ask('POST', '/widgets/reorder', { ordered_ids: ids }, key(op)),
  }
}
