import { expect, test } from 'vitest'
import { weatherStorm } from '../server/support/push-storm'
import https from 'node:https'
import webpush from 'web-push'
import { pushHosts } from '../../server/adapters/push/push-hosts'
import { type PushMessage, pushSender } from '../../server/adapters/push/push-sender'
import { deviceKeys } from '../support/push-device'
import { TEST_VAPID } from '../server/support/test-vapid'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Certificate, selfSigned } from '../support/certificate'

/** A push service of few words, in a thread of its own: it takes everything, over TLS. */
interface AcceptAll extends Certificate {
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

async function startAcceptAll(): Promise<AcceptAll> {
  const certificate = selfSigned()
  const worker = new Worker(SERVE, { eval: true, workerData: certificate })
  const [port] = (await once(worker, 'message')) as [number]
  const host = `127.0.0.1:${port}`
  return { ...certificate, origin: `https://${host}`, host, stop: () => worker.terminate() }
}

/** Requests under way at a time. */
const PARALLEL_PUSHES = 50
const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = TEST_VAPID
const vapid = { publicKey, privateKey, subject: 'mailto:help@ratio.example' }

interface Throughput {
  /** Messages a second. */
  readonly ours: number
  readonly plain: number
}

interface Size {
  /** Of each turn. */
  readonly messages: number
  readonly turns: number
}

/**
 * The same messages to the same push service by our sender and by plain web-push, over connections that both keep. They
 * take turns, so that whatever else the machine does hinders both alike.
 */
async function compareThroughput({ messages, turns }: Size): Promise<Throughput> {
  const service = await startAcceptAll()
  const all = Array.from({ length: messages }, (_, i): PushMessage => ({
    endpoint: `${service.origin}/push/${i}`,
    keys: deviceKeys().keys,
    payload: JSON.stringify({ type: 'alert', number: i, text: 'x'.repeat(300) }),
    ttl: 3600,
    topic: 'topic',
  }))
  const sender = pushSender({ vapid, hosts: pushHosts([service.host]), clock: Date.now, ca: service.cert })
  const agent = new https.Agent({ keepAlive: true, ca: service.cert })
  const ours = async (message: PushMessage) => {
    const answer = await sender.send(message)
    return answer.kind === 'answered' ? answer.status : answer.why
  }
  const plain = async ({ endpoint, keys, payload, ttl, topic }: PushMessage) => {
    const options = { vapidDetails: vapid, TTL: ttl, topic, urgency: 'high' as const, agent }
    return (await webpush.sendNotification({ endpoint, keys }, payload, options)).statusCode
  }
  const seconds = { ours: 0, plain: 0 }
  for (let turn = 0; turn <= turns; turn++) {
    const [a, b] = [await timed(all, plain), await timed(all, ours)]
    // The first turn is for warming up.
    if (turn === 0) continue
    seconds.plain += a
    seconds.ours += b
  }
  sender.close()
  agent.destroy()
  await service.stop()
  return { ours: (messages * turns) / seconds.ours, plain: (messages * turns) / seconds.plain }
}

/** @returns seconds */
async function timed(messages: readonly PushMessage[], send: (message: PushMessage) => Promise<unknown>) {
  const left = messages.values()
  const begun = performance.now()
  const runner = async () => {
    for (const message of left) {
      const status = await send(message)
      if (status !== 201) throw new Error(`A message was answered by ${String(status)}`)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_PUSHES }, runner))
  return (performance.now() - begun) / 1000
}

test('10,000 alert deliveries, to push services that answer in thirteen ways, each end as the push service’s answer demands', async () => {
  const heard = await weatherStorm({ owners: 50, browsers: 20, silentEvery: 50, crossings: 10, workers: 3 })
  console.log(`${heard.deliveries} deliveries, ${heard.requests} requests, ${Math.round(heard.seconds)} s`)
  expect(heard.deliveries).toBe(10_000)
})

test('the push sender, reusing its VAPID header, sends at least 1.8 times as many messages a second as plain web-push', async () => {
  const { ours, plain } = await compareThroughput({ messages: 500, turns: 12 })
  console.log(
    `${Math.round(ours)} messages a second, plain web-push ${Math.round(plain)}: ${(ours / plain).toFixed(2)}`,
  )
  expect(ours / plain).toBeGreaterThanOrEqual(1.8)
})
