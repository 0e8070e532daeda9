import { parentPort, workerData } from 'node:worker_threads'
import { tickerConnection } from './ticker-connection'
import type { FeedSetup, FromFeed, ToFeed } from './exchange-feed'

/* The thread of an exchange's feed. ccxt is imported here alone: its exports give all of its exchanges at once. */

const port = parentPort
if (port === null) throw new Error('This file runs as a thread')
const connection = tickerConnection(workerData as FeedSetup, (message: FromFeed) => port.postMessage(message))
port.on('message', ({ symbols }: ToFeed) => connection.watch(symbols))
// ccxt rejects promises that nobody waits for any more; the connection is then made anew.
process.on('unhandledRejection', (error) => connection.fail(error))
await connection.run()
