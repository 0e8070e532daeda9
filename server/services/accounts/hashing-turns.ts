import type { AddressKeys } from '../../address-keys'
import { askedFrom } from '../../asked-from'
import { TooManyAttempts } from '../../too-many-attempts'

/**
 * Hashes under way at once. They run on the process's few worker threads, in front of everything else that needs those:
 * the check of every access token, files, names of hosts.
 */
const AT_ONCE = 2
/** About half a second of them on a small machine; whoever comes later is better told than kept waiting. */
const MOST_WAITING = 100
/** Of these, from one address, and from one network: an IPv4 address, or a /48 of IPv6. */
const MOST_OF_HOST = 8
const MOST_OF_NETWORK = 20
/** Seconds after which it is worth coming again. */
const COME_AGAIN = 2

interface Waiting {
  readonly host: string
  readonly begin: () => void
  readonly refuse: (error: TooManyAttempts) => void
}

/** Stands for work that waits outside of requests; no limit of an address concerns that work. */
const NO_NETWORK = ''

let underWay = 0
let waitingInAll = 0
/** Each network's queue, in the order of the networks' turns: the first has the next one. */
const queues = new Map<string, Waiting[]>()

const networkOf = (from: AddressKeys | null): string => (from === null ? NO_NETWORK : (from.org ?? from.host))

/**
 * Does `work` when it is its turn, so that many logins at once slow down logins alone. Networks take turns, so that a flood
 * from one slows down that one alone. Who is refused is refused whatever the account: it tells nothing.
 * @throws TooManyAttempts when too many wait already
 */
export async function inHashingTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay < AT_ONCE) underWay += 1
  else await wait(askedFrom())
  try {
    return await work()
  } finally {
    // The turn is handed over as it is: nobody who comes in between can take it.
    const next = takeNext()
    if (next === null) underWay -= 1
    else next.begin()
  }
}

function wait(from: AddressKeys | null): Promise<void> {
  const network = networkOf(from)
  const host = from?.host ?? NO_NETWORK
  const queue = queues.get(network) ?? []
  if (from !== null && queue.length >= MOST_OF_NETWORK) throw new TooManyAttempts(COME_AGAIN)
  if (from !== null && queue.filter((other) => other.host === host).length >= MOST_OF_HOST) throw new TooManyAttempts(COME_AGAIN) // prettier-ignore
  if (waitingInAll >= MOST_WAITING) refuseOneOfMost(queue.length + 1)
  return new Promise((begin, refuse) => {
    queue.push({ host, begin, refuse })
    queues.set(network, queue)
    waitingInAll += 1
  })
}

/**
 * Makes room by refusing the last to come of the network that has most waiting.
 * @throws TooManyAttempts when no network has more than `share`
 */
function refuseOneOfMost(share: number): void {
  const [network, queue] = [...queues].reduce((most, other) => (other[1].length > most[1].length ? other : most))
  if (queue.length <= share) throw new TooManyAttempts(COME_AGAIN)
  const last = queue.pop()
  if (queue.length === 0) queues.delete(network)
  waitingInAll -= 1
  last?.refuse(new TooManyAttempts(COME_AGAIN))
}

function takeNext(): Waiting | null {
  const [first] = queues
  if (first === undefined) return null
  const [network, queue] = first
  const next = queue.shift() ?? null
  // The network goes to the end of the line.
  queues.delete(network)
  if (queue.length > 0) queues.set(network, queue)
  waitingInAll -= 1
  return next
}
