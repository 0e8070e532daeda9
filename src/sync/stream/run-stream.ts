import * as z from 'zod/mini'
import { API_BASE } from '../../contract/routes'
import { STREAM_HEARTBEAT, streamRoute } from '../../contract/stream'
import { noteServerTime } from '../../db/server-clock'
import type { EngineEnv } from '../env'
import { withReach } from '../report'
import { type Answer, identified, readAnswer, unanswered } from '../request'
import { applyEvent, readEvent, type StreamEvent, type StreamTarget } from './apply-event'
import { readEvents } from './read-events'

/** Milliseconds until the first event, the request included; a proxy that collects events gives none in that time. */
export const FIRST_EVENT_TIMEOUT = 8_000
/** Milliseconds of silence after which a stream counts as broken. */
export const SILENCE_TIMEOUT = 2.5 * STREAM_HEARTBEAT
/**
 * Milliseconds by which an event may come later than the first one did. More: this device has slept, or its clock was set,
 * and the ages of prices would be wrong by as much.
 */
const MAX_DELAY = 15_000

/** How a stream has ended. */
export type StreamEnd =
  /** The server says over how many milliseconds clients spread their next stream. */
  | { readonly kind: 'bye'; readonly retry: number }
  /** It was open, and broke off or fell silent. */
  | { readonly kind: 'broken' }
  /** It could not be opened. `retryAfter` in milliseconds; `silent`: nothing came in time, not even a refusal. */
  | { readonly kind: 'failed'; readonly retryAfter: number | null; readonly silent: boolean }
  /** The server was reached, and no event came through in time. */
  | { readonly kind: 'held-back' }
  /** The server has no stream. */
  | { readonly kind: 'unsupported' }
  /** The owner is not served: another one uses this browser, or has to sign in. */
  | { readonly kind: 'not-served' }
  /** The caller has stopped it. */
  | { readonly kind: 'stopped' }

interface StreamPorts {
  /** `id` of the last event of an earlier stream for the same target; null: none. */
  readonly lastId: string | null
  /** Something has come, at first the first event. */
  readonly onHeard: () => Promise<void>
  /** The id of an event that has been applied; null: the next stream begins anew. */
  readonly onApplied: (id: string | null) => void
}

/** Opens one stream and applies its events until it ends; rejects only if the local database fails. */
export async function runStream(
  env: EngineEnv,
  target: StreamTarget,
  ports: StreamPorts,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const limit = timeLimit(env, signal)
  try {
    limit.within(FIRST_EVENT_TIMEOUT)
    const answer = await withReach(env, (heard) => request(heard, target, ports.lastId, limit))
    if (signal.aborted) return { kind: 'stopped' }
    if (answer.kind !== 'ok') return endOf(answer, limit.isOver())
    const end = await follow(env, target, ports, answer.value as ReadableStream<Uint8Array>, limit)
    return signal.aborted ? { kind: 'stopped' } : end
  } finally {
    limit.end()
  }
}

/** Ends a request at a time that moves on with each event, or when the caller stops it. */
function timeLimit({ timer }: EngineEnv, outer: AbortSignal) {
  const inner = new AbortController()
  const stop = () => inner.abort()
  if (outer.aborted) stop()
  outer.addEventListener('abort', stop)
  let over = false
  let cancel = () => {}
  return {
    signal: inner.signal,
    isOver: () => over,
    within(ms: number) {
      cancel()
      cancel = timer(ms, () => {
        over = true
        stop()
      })
    },
    end() {
      cancel()
      outer.removeEventListener('abort', stop)
      stop()
    },
  }
}
type TimeLimit = ReturnType<typeof timeLimit>

/** Asks for a stream; its body is the value of the answer. */
const request = (
  env: EngineEnv,
  { owner, coins }: StreamTarget,
  lastId: string | null,
  limit: TimeLimit,
): Promise<Answer> =>
  identified(env, owner, async (identity) => {
    const query = coins.length === 0 ? '' : `?${new URLSearchParams({ coins: coins.join(',') }).toString()}`
    const last = lastId === null ? {} : { 'Last-Event-ID': lastId }
    try {
      const response = await env.fetch(`${env.origin}${API_BASE}${streamRoute.path}${query}`, {
        method: streamRoute.method,
        headers: { Accept: 'text/event-stream', ...identity, ...last },
        cache: 'no-store',
        signal: limit.signal,
        redirect: 'error',
        credentials: 'omit',
      })
      env.heard?.(true)
      const { status, body, headers } = response
      const header = (name: string) => headers.get(name)
      const isStream = status === 200 && header('content-type')?.startsWith('text/event-stream') === true
      if (isStream && body !== null) return { kind: 'ok', value: body, etag: null }
      return readAnswer({ answer: z.never() }, { status, text: await response.text(), header }, env.now())
    } catch (error) {
      // An answer that is late, or no longer wanted, says nothing of the network.
      if (!limit.signal.aborted) env.heard?.(false)
      return unanswered(error)
    }
  })

function endOf(answer: Exclude<Answer, { kind: 'ok' }>, isOver: boolean): StreamEnd {
  switch (answer.kind) {
    case 'unavailable':
      if (answer.status === 404) return { kind: 'unsupported' }
      return { kind: 'failed', retryAfter: answer.retryAfter, silent: isOver }
    case 'not-mine':
      return { kind: 'not-served' }
    case 'refused':
      if (answer.status === 404) return { kind: 'unsupported' }
      return answer.status === 401 ? { kind: 'not-served' } : { kind: 'failed', retryAfter: null, silent: false }
    case 'unchanged':
      return { kind: 'failed', retryAfter: null, silent: false }
  }
}

async function follow(
  env: EngineEnv,
  target: StreamTarget,
  { onHeard, onApplied }: StreamPorts,
  body: ReadableStream<Uint8Array>,
  limit: TimeLimit,
): Promise<StreamEnd> {
  let isOpen = false
  /** Milliseconds by which this device's clock is ahead, the first event's way included. */
  let ahead = 0
  const isLate = ({ name, data }: StreamEvent) =>
    name === 'prices' && Math.abs(env.now() - data.now - ahead) > MAX_DELAY
  for await (const received of readEvents(body)) {
    if (limit.signal.aborted) break
    const event = received.kind === 'event' ? readEvent(received.name, received.data) : null
    if (event?.name === 'bye') return { kind: 'bye', retry: event.data.retry }
    if (event !== null && isLate(event)) return { kind: 'broken' }
    if (event?.name === 'open') {
      isOpen = true
      ahead = env.now() - event.data.now
      await noteServerTime(env.db, event.data.now, env.now())
    }
    if (!isOpen) continue
    limit.within(SILENCE_TIMEOUT)
    await onHeard()
    if (event === null || received.kind !== 'event') continue
    const isApplied = await applyEvent(env, target, event)
    if (!isApplied || received.id !== null) onApplied(isApplied ? received.id : null)
    if (!isApplied) return { kind: 'broken' }
  }
  return isOpen
    ? { kind: 'broken' }
    : limit.isOver()
      ? { kind: 'held-back' }
      : { kind: 'failed', retryAfter: null, silent: false }
}
