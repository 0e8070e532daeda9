// Sends GET requests as fast as they are answered, one at a time on each of some kept connections; the order comes as JSON
// on stdin, the report goes as JSON to stdout. Plain sockets: a client that costs more than the server would be measured.
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface LoadOrder {
  readonly origin: string
  readonly connections: number
  readonly seconds: number
  /** Sent in turn, each connection from a place of its own. */
  readonly requests: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[]
}

export interface LoadReport {
  readonly requests: number
  readonly perSecond: number
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds to the end of an answer: the half and 99 of 100 took at most so long. */
  readonly p50: number
  readonly p99: number
  /** Bytes of an answer with its headers, on the mean. */
  readonly bytes: number
}

const END_OF_HEADERS = '\r\n\r\n'
const END_OF_CHUNKS = '0\r\n\r\n'

const { origin, connections, seconds, requests } = JSON.parse(await text(process.stdin)) as LoadOrder
const { hostname, port, host } = new URL(origin)
const heads = requests.map(({ path, headers }) => {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
})

const statuses: Record<string, number> = {}
const times: number[] = []
let bytes = 0

/** Bytes of the answer that `read` begins with; null while it has not come whole. */
function lengthOfAnswer(read: Buffer): number | null {
  const end = read.indexOf(END_OF_HEADERS)
  if (end < 0) return null
  const headers = read.toString('latin1', 0, end).toLowerCase()
  const body = end + END_OF_HEADERS.length
  if (/^http\/1\.1 (?:204|304)/.test(headers)) return body
  const length = /\r\ncontent-length: *(\d+)/.exec(headers)?.[1]
  if (length !== undefined) return read.length >= body + Number(length) ? body + Number(length) : null
  return read.toString('latin1', read.length - END_OF_CHUNKS.length) === END_OF_CHUNKS ? read.length : null
}

function run(socket: Socket, from: number, until: number): Promise<void> {
  let next = from
  let sentAt = 0
  let read = Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    const send = () => {
      sentAt = performance.now()
      if (sentAt >= until) {
        socket.destroy()
        return resolve()
      }
      socket.write(heads[next % heads.length] ?? '')
      next += 1
    }
    socket.on('data', (chunk) => {
      read = read.length === 0 ? chunk : Buffer.concat([read, chunk])
      const length = lengthOfAnswer(read)
      if (length === null) return
      const status = read.toString('latin1', 9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      times.push(performance.now() - sentAt)
      bytes += length
      read = Buffer.alloc(0)
      send()
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('The server closed a connection.')))
    send()
  })
}

const open = () =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
const sockets = await Promise.all(Array.from({ length: connections }, open))
const begun = performance.now()
await Promise.all(
  sockets.map((socket, index) => run(socket, Math.floor((index * heads.length) / connections), begun + seconds * 1000)),
)
const took = (performance.now() - begun) / 1000
const sorted = Float64Array.from(times).toSorted()
const report: LoadReport = {
  requests: times.length,
  perSecond: times.length / took,
  statuses,
  p50: sorted[Math.floor(sorted.length * 0.5)] ?? NaN,
  p99: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
  bytes: bytes / times.length,
}
console.log(JSON.stringify(report))
