import * as z from 'zod/mini'
import { widget } from '../contract/widget'
import { applyOutcome, type Outcome } from '../db/answers/apply-outcome'
import type { EntryError, OutboxEntry } from '../db/outbox-entry'
import { mutationTypeOf } from '../db/mutations/mutation-types'
import { isAnonymousOwner } from '../domain/ids'
import { type Answer, NOT_UNDERSTOOD, sendAs } from './request'
import { backoff } from './pacing'
import type { EngineEnv } from './env'
import { type Leased, leaseNext, takeOverLeases } from './outbox-lease'

/** PAIR_EXISTS carries the widget that is there. */
const pairExists = z.looseObject({ widget })

/** Outcome of an answer for its outbox entry. */
export function classify(entry: OutboxEntry, answer: Answer): Outcome {
  switch (answer.kind) {
    case 'ok': {
      const [before, after] = answer.revisions ?? []
      const step = before === undefined || after === undefined ? {} : { step: [before, after] as const }
      return { kind: 'done', value: answer.value, ...step }
    }
    case 'not-mine':
      return { kind: 'not-sent' }
    case 'unchanged':
      return again({ status: 304, error_code: null, message: NOT_UNDERSTOOD })
    case 'unavailable':
      return again({ status: answer.status, error_code: null, message: answer.message }, answer.retryAfter)
    case 'refused':
      return refusal(entry, answer)
  }
}

/** True if an earlier attempt ended without NOT_FOUND: the server may have created the row then. */
const mayHaveBeenMade = ({ attempts, not_found = 0 }: OutboxEntry): boolean => attempts > not_found + 1

const again = (error: EntryError, retryAfter: number | null = null): Outcome => ({ kind: 'again', retryAfter, error })

function refusal(entry: OutboxEntry, answer: Extract<Answer, { kind: 'refused' }>): Outcome {
  const { status, error_code, message, body } = answer
  const rules = mutationTypeOf(entry)
  const error: EntryError = { status, error_code, message }
  // A guest cannot log in again: a proxy has dropped the header, or the server refuses the id for a while.
  if (status === 401) return isAnonymousOwner(entry.owner) ? again(error) : { kind: 'pause', error }
  if (rules.doneWhen.includes(error_code)) return { kind: 'already', error }
  const makes = rules.createsId(entry.payload) !== null
  if (makes && error_code === 'NOT_FOUND') {
    // The key that brings a guest's pair may be spent since an earlier try, which says nothing about this one.
    const isRemoved = entry.brings === undefined && mayHaveBeenMade(entry)
    return isRemoved ? { kind: 'removed-since' } : { kind: 'not-there', error }
  }
  if (makes && error_code === 'PAIR_EXISTS') {
    const existing = pairExists.safeParse(body)
    if (existing.success) return { kind: 'exists', widget: existing.data.widget, error }
  }
  return { kind: 'refused', error }
}

/** Lets a running drain read the outbox again at once, because a new mutation may wait. */
export interface Signal {
  /** Resolves at the next `notify`. */
  readonly next: () => Promise<void>
}

export function createSignal(): Signal & { readonly notify: () => void } {
  let wake: () => void = () => undefined
  let next = new Promise<void>((resolve) => (wake = resolve))
  return {
    next: () => next,
    notify() {
      wake()
      next = new Promise((resolve) => (wake = resolve))
    },
  }
}

/** Requests under way at once. */
const MAX_IN_FLIGHT = 6

/**
 * Sends the outbox until nothing is due: entries of one widget in their order, different widgets side by side. One drain
 * at a time over all tabs and the service worker; the lock is held until every request has ended.
 */
export async function drain(env: EngineEnv, signal?: Signal): Promise<void> {
  await env.locks.request('outbox-drain', async () => {
    await takeOverLeases(env)
    const inFlight = new Set<Promise<void>>()
    const failures: unknown[] = []
    const fail = (error: unknown): void => void failures.push(error)
    for (;;) {
      while (failures.length === 0 && inFlight.size < MAX_IN_FLIGHT) {
        const leased = await leaseNext(env).catch(fail)
        if (leased === undefined) break
        const request = sendEntry(env, leased)
          .catch(fail)
          .finally(() => inFlight.delete(request))
        inFlight.add(request)
      }
      if (inFlight.size === 0) break
      await Promise.race([...inFlight, ...(signal === undefined ? [] : [signal.next()])])
    }
    // Storage failed (full, or closed under us): the leases stay and are taken over by the next drain.
    if (failures.length > 0) throw failures[0]
  })
}

/** Sends one entry and applies the outcome of its answer. */
async function sendEntry(env: EngineEnv, { entry, request }: Leased): Promise<void> {
  const answer = await sendAs(env, entry.owner, { ...request, key: entry.op_id })
  const wait = (failures: number, retryAfter: number | null): number => backoff(failures, retryAfter, env.random())
  await applyOutcome({ db: env.db, now: env.now(), wait }, entry, classify(entry, answer))
}
