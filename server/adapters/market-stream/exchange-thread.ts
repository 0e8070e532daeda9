import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { pauseAfter } from '../../../src/domain/waits'
import type { ExchangeFeed, FeedEvents, FeedSetup, FromFeed, OpenFeed, ToFeed } from './exchange-feed'

/** A thread that died is started again after this. Milliseconds. */
const RESTART_PAUSES = { first: 2_000, growth: 2, longest: 60_000 }
/** ccxt with the markets of an exchange takes some 80 MB; a thread beyond this leaks, and is started again. */
const HEAP_LIMIT_MB = 384

/**
 * Feeds of exchanges, each in a thread of its own, so that neither ccxt's size nor its work is the server's.
 * @param file the bundled server/adapters/market-stream/exchange-worker.ts
 * @param url MARKET_STREAM_URL
 * @throws Error if ccxt is not installed
 */
export function exchangeThreads(file: URL, url: string | undefined): OpenFeed {
  try {
    createRequire(file).resolve('ccxt')
  } catch (error) {
    throw new Error(
      'MARKET_STREAM: needs the package ccxt, which is not installed here. "npm ci --omit=dev" installs it.',
      { cause: error },
    )
  }
  return (exchange, events) => openThread(file, { exchange, url: url ?? null }, events)
}

function openThread(file: URL, setup: FeedSetup, events: FeedEvents): ExchangeFeed {
  let closing = false
  let failures = 0
  let wanted: readonly string[] = []
  let restart: NodeJS.Timeout | undefined
  let ended: Promise<unknown> = Promise.resolve()
  let worker: Worker | null = null

  const post = (message: ToFeed) => worker?.postMessage(message)
  const receive = (message: FromFeed) => {
    if (closing) return
    switch (message.kind) {
      case 'markets':
        return events.markets(message.symbols)
      case 'ticks':
        failures = 0
        return events.ticks(message.ticks)
      case 'failed':
        return events.failed(message.reason)
    }
  }

  function start() {
    const mine = new Worker(file, { workerData: setup, resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB } })
    let reason = 'the thread ended'
    worker = mine
    mine.on('message', receive)
    mine.on('error', (error) => {
      reason = `the thread ended: ${error.message}`
    })
    ended = new Promise<void>((resolve) => {
      mine.once('exit', () => {
        worker = null
        resolve()
        if (closing) return
        failures += 1
        events.failed(reason)
        restart = setTimeout(start, pauseAfter(failures, RESTART_PAUSES)).unref()
      })
    })
    post({ kind: 'watch', symbols: wanted })
  }

  start()
  return {
    watch: (symbols) => {
      wanted = symbols
      post({ kind: 'watch', symbols })
    },
    close: async () => {
      closing = true
      clearTimeout(restart)
      // Nothing in the thread has to be kept, so it is not waited for.
      await worker?.terminate()
      await ended
    },
  }
}
