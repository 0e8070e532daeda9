import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { errorBody } from '../../src/contract/errors'
import { type Route, statusOf } from '../../src/contract/route'
import { API_BASE } from '../../src/contract/routes'
import { opId } from '../../src/contract/scalars'
import { REVISION_HEADER } from '../../src/contract/stream'
import type { OpId } from '../../src/domain/ids'
import { callerOf } from '../plugins/identity'
import type { Caller } from '../services/owners'
import type { Counted } from '../services/list-page'
import type { Changed, ChangeRequest } from '../services/operations'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A header of the answer says how many there are in all. */
    counted?: true
    /** A header of the answer holds the revision of the caller's widgets. */
    revised?: true
    /** The answer is bytes of this media type. */
    media?: string
  }
}

type Output<T> = T extends z.core.$ZodType ? z.output<T> : undefined

/** A request that has been validated, and the caller identified. */
export interface RouteCall<R extends Route> {
  readonly params: R extends { params: infer P } ? Output<P> : undefined
  readonly query: R extends { query: infer Q } ? Output<Q> : undefined
  readonly body: R extends { body: infer B } ? Output<B> : undefined
  /** The body as the client wrote it, before this version's defaults. */
  readonly written: unknown
  readonly caller: R['identity'] extends 'none' ? null : Caller
  /** The Idempotency-Key. */
  readonly op: OpId | null
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type Given<R extends Route> = R extends { counted: true }
  ? Counted<Output<R['answer']>>
  : R extends { answer: null }
    ? void
    : Output<R['answer']>

/** Result of a handler: the answer, or the reply if the handler has sent it itself. */
export type Handler<R extends Route> = (call: RouteCall<R>) => Promise<Given<R> | FastifyReply>

/** A key that is sent twice arrives joined by a comma, and is refused as no UUID. */
const mutationHeaders = z.looseObject({ 'idempotency-key': z.optional(opId) })

/** How HTML forms are written. */
const FORM = 'application/x-www-form-urlencoded'

const gone = z.null().describe('A repetition found what it had changed gone')

const writtenBodies = new WeakMap<FastifyRequest, unknown>()

/** Registers a route of the contract: identity first, then validation, then the handler; the answer is checked too. */
export function serve<R extends Route>(app: FastifyInstance, route: R, handler: Handler<R>): void {
  const { identity } = route
  app.route({
    method: route.method,
    url: `${API_BASE}${route.path}`,
    schema: {
      summary: route.summary,
      security: security(route),
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && { body: route.body, ...(route.encoding === 'form' && { consumes: [FORM] }) }),
      ...(route.method !== 'GET' && identity !== 'none' && { headers: mutationHeaders }),
      response: {
        [statusOf(route)]: route.answer ?? z.null(),
        ...(route.whenGone && { [route.whenGone]: gone }),
        '4xx': errorBody,
        '5xx': errorBody,
      },
    },
    config: {
      identity,
      ...(route.counted && { counted: true }),
      ...(route.revised && { revised: true }),
      ...(route.media && { media: route.media }),
    },
    ...(route.body && {
      preValidation: (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
        writtenBodies.set(request, request.body)
        done()
      },
    }),
    handler: async (request, reply) => {
      const call = {
        params: request.params,
        query: request.query,
        // No handler may see unchecked input: the server drops a body that the route does not declare.
        body: route.body === undefined ? undefined : request.body,
        written: route.body === undefined ? undefined : writtenBodies.get(request),
        caller: callerOf(request),
        op: request.headers['idempotency-key'] ?? null,
        request,
        reply,
      } as unknown as RouteCall<R>
      const given = await handler(call)
      // A reply that an async handler gives back is awaited on the way, and arrives as undefined once it was sent.
      if (reply.sent) return reply
      if (!route.counted) return reply.code(statusOf(route)).send(given)
      const { part, total } = given as Counted<unknown>
      return reply.code(statusOf(route)).header('x-total-count', total).send(part)
    },
  })
}

const security = ({ identity }: Route): Record<string, string[]>[] => {
  const guest = { anonymous: [] }
  const user = { bearer: [] }
  switch (identity) {
    case 'none':
      return []
    case 'guest':
      return [guest]
    case 'user':
      return [user]
    case 'superuser':
      // OpenAPI 3.1: what stands here for a scheme without scopes are roles.
      return [{ bearer: ['superuser'] }]
    case 'any':
      return [user, guest]
  }
}

/** A route whose caller is known: everything that changes something. */
type ChangingRoute = Route & { readonly identity: Exclude<Route['identity'], 'none'> }

/** Without a value where the route answers with none; with null where a repetition found what it had changed gone. */
type ChangedAnswer<T> = Omit<Changed<T>, 'value'> & { readonly value?: T | null }

/** Registers a route that makes its change once per Idempotency-Key, and marks the answer to a repetition. */
export function serveChange<R extends ChangingRoute>(
  app: FastifyInstance,
  { clock }: { readonly clock: () => number },
  route: R,
  change: (request: ChangeRequest, call: RouteCall<R>) => Promise<ChangedAnswer<Given<R>>>,
): void {
  serve(app, route, async (call) => {
    const { caller, op, params, body, written, reply } = call
    const asked = (what: unknown) => [route.method, route.path, params ?? null, what ?? null]
    const request = { caller: caller as Caller, op, asked: asked(written), parsed: asked(body), now: clock() }
    const { value, replayed, revision } = await change(request, call)
    if (replayed) reply.header('idempotent-replayed', 'true')
    if (revision !== undefined) reply.header(REVISION_HEADER, `${revision.before} ${revision.after}`)
    return value === null ? reply.code(204).send() : (value as Given<R>)
  })
}

/** Lets a plugin's routes read bodies of HTML forms, and no others. */
export async function takeFormsAlone(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody)
}

/** True if If-None-Match names the weak ETag of the present answer. */
export const isTagged = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim() === etag || `W/${tag.trim()}` === etag)
