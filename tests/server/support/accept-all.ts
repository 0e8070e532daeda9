import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Certificate, selfSigned } from '../../support/certificate'

/** A push service of few words, in a thread of its own: it takes everything, over TLS. */
export interface AcceptAll extends Certificate {
  readonly origin: string
  /** For PUSH_ALLOWED_HOSTS. */
  readonly host: string
  stop(): Promise<unknown>
}

const SERVE = `
const { createServer } = require('node:https')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer(workerData, (request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(201).end())
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

export async function startAcceptAll(): Promise<AcceptAll> {
  const certificate = selfSigned()
  const worker = new Worker(SERVE, { eval: true, workerData: certificate })
  const [port] = (await once(worker, 'message')) as [number]
  const host = `127.0.0.1:${port}`
  return { ...certificate, origin: `https://${host}`, host, stop: () => worker.terminate() }
}
