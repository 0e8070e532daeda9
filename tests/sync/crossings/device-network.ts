import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { OwnerId } from '../../../src/domain/ids'
import type { TestApp } from '../../server/support/test-app'
import type { Activity } from '../support/activity'
import type { Random } from '../support/random'
import type { VirtualTime } from '../support/virtual-time'
import { json } from '../support/wire'

export interface NetworkDeps {
  readonly server: TestApp
  readonly user: OwnerId
  readonly headersOf: (owner: string) => Readonly<Record<string, string>>
  readonly random: Random
  readonly time: VirtualTime
  readonly activity: Activity
  /** Runs at once, or when the lid is opened. */
  readonly whenAwake: (run: () => void) => void
}

/** Not of interest here. */
const MARKET_PAST = /\/(historical|daily)$/

/** The way of one device's requests and streams to the real server, with what may happen to them. */
export function deviceNetwork({ server, user, headersOf, random, time, activity, whenAwake }: NetworkDeps) {
  let offline = false
  /** Rises when everything under way is lost. */
  let cuts = 0
  let isStreamServed = true
  let slowUntil = -Infinity
  /** Requests under way that get lost or come late. */
  let faulty = 0
  let faultAt = -Infinity
  let disturbedAt = -Infinity
  let stream: { readonly cut: () => void; readonly stall: (until: number) => void } | null = null
  let turn: Promise<unknown> = Promise.resolve()
  const disturb = (): void => {
    disturbedAt = time.now()
  }
  const latency = (): number => 10 + random.int(140)

  const serve = async (url: URL, init: RequestInit): Promise<Response> => {
    const { Authorization: _, ...headers } = init.headers as Record<string, string>
    const answer = await server.app.inject({
      method: init.method as 'GET',
      url: url.pathname + url.search,
      headers: { ...headers, ...headersOf(user) },
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const dated = { ...answer.headers, date: new Date(time.now()).toUTCString() }
    const flat = Object.entries(dated).map(([name, value]): [string, string] => [name, String(value)])
    const body = [204, 304].includes(answer.statusCode) ? null : new Uint8Array(answer.rawPayload)
    return new Response(body, { status: answer.statusCode, headers: flat })
  }
  // One request after the other, so that a seed always gives the same play.
  const inTurn = (url: URL, init: RequestInit): PromiseLike<Response> => {
    const work = turn.then(() => serve(url, init))
    turn = work.catch(() => undefined)
    return activity.track(work)
  }

  /** Null: it fails. */
  async function travel(url: URL, init: RequestInit): Promise<Response | null> {
    const begun = cuts
    const luck = random.next()
    const late = time.now() < slowUntil ? 0.5 : 0.06
    const fault =
      luck < 0.03 ? 'lost' : luck < 0.06 ? 'lost-answer' : luck < 0.1 ? 'twice' : luck < 0.1 + late ? 'late' : null
    const isFaulty = fault !== null && fault !== 'twice'
    if (isFaulty) faulty += 1
    try {
      await time.sleep(latency())
      if (offline || begun !== cuts || fault === 'lost') return null
      const answer = await inTurn(url, init)
      if (fault === 'lost-answer') return null
      if (fault === 'twice') void time.sleep(3_000).then(() => inTurn(url, init))
      await time.sleep(fault === 'late' ? 2_000 + random.int(18_000) : latency())
      return offline || begun !== cuts ? null : answer
    } finally {
      if (isFaulty) {
        faulty -= 1
        faultAt = time.now()
      }
    }
  }

  async function openStream(url: URL, init: RequestInit): Promise<Response | null> {
    const begun = cuts
    disturb()
    await time.sleep(latency())
    if (offline || begun !== cuts) return null
    if (!isStreamServed) return json(404, { detail: 'NO_SUCH_ROUTE', error_code: 'NO_SUCH_ROUTE' })
    const { response, body, cut, stall } = streamResponse()
    stream?.cut()
    stream = { cut, stall }
    init.signal?.addEventListener('abort', cut)
    const open = server.live.open({
      caller: { kind: 'user', userId: user, sessionId: user },
      coins: url.searchParams.get('coins')?.split(',') ?? [],
      ip: '192.0.2.1',
      lastEventId: (init.headers as Record<string, string>)['Last-Event-ID'],
      begin: () => response,
    })
    await activity.track(open)
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
  }

  /** The server's side writes into it as into a socket; what it writes arrives later, in order, and not on a dead way. */
  function streamResponse() {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    let isOver = false
    let arrivesAt = 0
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given), cancel: () => cut() })
    const arrive = (act: () => void): void => {
      if (isOver || offline) return
      arrivesAt = Math.max(arrivesAt, time.now() + latency())
      time.timer(arrivesAt - time.now(), () => {
        if (!offline) whenAwake(() => isOver || act())
      })
    }
    const write = (text: string): boolean => {
      arrive(() => controller.enqueue(new TextEncoder().encode(text)))
      return true
    }
    const response = Object.assign(new EventEmitter(), {
      destroyed: false,
      writableEnded: false,
      writableLength: 0,
      socket: { write, writableLength: 0 },
      write,
      end: (text: string) => write(text),
      destroy: () => cut(),
    })
    const heartbeat = (): void => {
      if (isOver) return
      write(':\n\n')
      time.timer(20_000, heartbeat)
    }
    time.timer(20_000, heartbeat)
    function cut(): void {
      if (isOver) return
      isOver = true
      response.destroyed = true
      disturb()
      whenAwake(() => {
        try {
          controller.error(new TypeError('network error'))
        } catch {
          // The reader has cancelled it.
        }
      })
      response.emit('close')
    }
    const stall = (until: number): void => {
      arrivesAt = Math.max(arrivesAt, until)
      disturb()
    }
    return { response: response as unknown as ServerResponse, body, cut, stall }
  }

  return {
    fetch: (href: string, init: RequestInit): Promise<Response> =>
      new Promise((resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        const url = new URL(href)
        if (MARKET_PAST.test(url.pathname)) return resolve(json(404, { detail: 'No.', error_code: 'NOT_FOUND' }))
        const way = url.pathname.endsWith('/stream') ? openStream(url, init) : travel(url, init)
        way.then(
          (answer) => whenAwake(() => (answer === null ? reject(new TypeError('Failed to fetch')) : resolve(answer))),
          reject,
        )
      }),
    isOffline: () => offline,
    /** A dead way says nothing to the server or the page. */
    setOffline(now: boolean): void {
      offline = now
      cuts += 1
      disturb()
    },
    sleeps(): void {
      cuts += 1
      if (random.next() < 0.6) stream?.cut()
      disturb()
    },
    cutStream: (): void => stream?.cut(),
    stallStream: (ms: number): void => stream?.stall(time.now() + ms),
    serveStreams: (on: boolean): void => {
      isStreamServed = on
      if (!on) stream?.cut()
    },
    /** Half of what is asked for until then comes late, in any order: a network that has just returned. */
    slowFor(ms: number): void {
      slowUntil = time.now() + ms
    },
    /** True if the whole way or the stream was cut, stalled or opened after `since`. */
    isDisturbed: (since: number): boolean => disturbedAt >= since,
    /** True if a request is getting lost or late, or was after `since`. */
    isFaulty: (since: number): boolean => faulty > 0 || faultAt >= since,
  }
}
