import type { FastifyReply } from 'fastify'
import type { Route } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import type { Caller } from '../plugins/identity'
import type { ChangeRequest } from '../services/operations'
import type { Call } from './serve'

/** A route whose caller is known: everything that changes something. */
type ChangingRoute = Route & { readonly identity: Exclude<Route['identity'], 'none'> }

/** What the services need to know of a request that changes something. */
export function changeRequest<R extends ChangingRoute>(parts: AppParts, route: R, call: Call<R>): ChangeRequest {
  const { params, body, written, op } = call
  const asked = (what: unknown): readonly unknown[] => [route.method, route.path, params ?? null, what ?? null]
  return { caller: call.caller as Caller, op, asked: asked(written), parsed: asked(body), now: parts.clock() }
}

/** Marks an answer that repeats an earlier change. */
export function markReplay<R extends Route>({ reply }: Call<R>, { replayed }: { readonly replayed: boolean }): void {
  if (replayed) reply.header('idempotent-replayed', 'true')
}

interface Changed<T> {
  /** Null: a repetition found what it had changed gone. */
  readonly value: T | null
  readonly replayed: boolean
}

/** The present state of what was changed, marked if an earlier request did that; 204 where it is gone by now. */
export function orGone<R extends Route, T>(call: Call<R>, done: Changed<T>): T | FastifyReply {
  markReplay(call, done)
  return done.value ?? call.reply.code(204).send()
}
