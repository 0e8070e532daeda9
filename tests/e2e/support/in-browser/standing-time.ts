/*
 * Runs in every page before the app: time stands still, the service worker is neither registered nor asked, and the web
 * worker is asked for no engine, until a test lets them go on. So a slow machine, on which more timers would end meanwhile, counts what a quick one counts.
 */
const now = Date.now()
Date.now = () => now

/** Milliseconds from which on a timer waits for the passing of time, not for the end of a task. */
const SHORTEST = 100

interface Timer {
  readonly delay: number
  readonly run: () => void
  readonly repeats: boolean
}
/** By id; those of real timers are positive. */
const timers = new Map<number, Timer>()
let lastId = 0

function standing(name: 'setTimeout' | 'setInterval', end: 'clearTimeout' | 'clearInterval'): void {
  const start = globalThis[name] as (run: TimerHandler, delay?: number, ...args: unknown[]) => number
  const clear = globalThis[end] as (id?: number) => void
  const hold = (handler: (...args: unknown[]) => void, delay = 0, ...args: unknown[]): number => {
    if (delay < SHORTEST) return start(handler, delay, ...args)
    lastId -= 1
    timers.set(lastId, { delay, run: () => handler(...args), repeats: name === 'setInterval' })
    return lastId
  }
  const forget = (id?: number): void => {
    if (id === undefined || !timers.delete(id)) clear(id)
  }
  Object.assign(globalThis, { [name]: hold, [end]: forget })
}
standing('setTimeout', 'clearTimeout')
standing('setInterval', 'clearInterval')

// A page is idle sooner or later as the machine is quick or slow.
globalThis.requestIdleCallback = (run) =>
  window.setTimeout(run, 0, { didTimeout: false, timeRemaining: () => SHORTEST })

/** Ends the timers that are running and whose delay is so many milliseconds at most, the shortest first. */
function passTime(upTo: number): void {
  const due = [...timers].filter(([, { delay }]) => delay <= upTo).toSorted(([, a], [, b]) => a.delay - b.delay)
  for (const [id, { run, repeats }] of due) {
    if (!timers.has(id)) continue
    if (!repeats) timers.delete(id)
    run()
  }
}

const released = Promise.withResolvers<void>()
const engineReleased = Promise.withResolvers<void>()
/** Requests to the engine that have not been answered. */
let asked = 0

type Method = (this: unknown, ...args: unknown[]) => unknown
/** Puts a method in the place of one of the browser's. */
function replace(prototype: object, name: string, by: (original: Method) => Method): void {
  const methods = prototype as Record<string, Method>
  methods[name] = by(methods[name]!)
}
replace(
  ServiceWorkerContainer.prototype,
  'register',
  (register) =>
    async function (...args) {
      await released.promise
      return Reflect.apply(register, this, args)
    },
)
replace(
  ServiceWorker.prototype,
  'postMessage',
  (postMessage) =>
    function (...args) {
      void released.promise.then(() => {
        // With a port for the answers.
        if (args.length > 1) asked += 1
        Reflect.apply(postMessage, this, args)
      })
    },
)
replace(
  Worker.prototype,
  'postMessage',
  (postMessage) =>
    function (...args) {
      // Comlink's messages, for charts, have none.
      const { kind } = args[0] as { readonly kind?: string }
      if (kind === undefined) return Reflect.apply(postMessage, this, args)
      void engineReleased.promise.then(() => {
        // A stream is never answered for good.
        if (kind !== 'stream') asked += 1
        Reflect.apply(postMessage, this, args)
      })
      return undefined
    },
)
// The page closes its end of a request's channel with the answer.
replace(
  MessagePort.prototype,
  'close',
  (close) =>
    function () {
      asked -= 1
      return Reflect.apply(close, this, [])
    },
)

Object.assign(globalThis, {
  passTime,
  releaseWorker: () => released.resolve(),
  releaseEngine: () => engineReleased.resolve(),
  askedOfEngine: () => asked,
})
