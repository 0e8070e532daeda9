import { requestOrigin } from '../../http/addresses'
import { TooManyAttempts } from '../../http/api-error'
import { limitConcurrency, type WaitingLine } from '../../waits'

/**
 * Hashes under way at once. They run on the process's few worker threads, before other work that needs those: the check of
 * every access token, files, names of hosts.
 */
const CONCURRENT_HASHES = 2
/** About half a second of hashes on a small machine; a later caller is refused rather than kept waiting. */
const MAX_WAITING = 100
/** Of these, from one address, and from one network: an IPv4 address, or a /48 of IPv6. */
const MAX_OF_HOST = 8
const MAX_OF_NETWORK = 20
/** Seconds after which it is worth coming again. */
const RETRY_AFTER = 2

type Task = Parameters<WaitingLine['join']>[0] & { readonly host: string }

/** Stands for work that waits outside of requests; no limit of an address concerns that work. */
const NO_NETWORK = ''

/** Networks take turns, so that a flood from one slows down that one alone. */
function fairLine(): WaitingLine {
  /** Each network's queue, in the order of the networks' turns: the first has the next one. */
  const queues = new Map<string, Task[]>()
  let waiting = 0

  /**
   * Makes room by refusing the last to come of the network that has most waiting.
   * @throws TooManyAttempts when no network has more than `share`
   */
  function refuseOneOfMost(share: number): void {
    const [network, queue] = [...queues].reduce((most, other) => (other[1].length > most[1].length ? other : most))
    if (queue.length <= share) throw new TooManyAttempts(RETRY_AFTER)
    const last = queue.pop()
    if (queue.length === 0) queues.delete(network)
    waiting -= 1
    last?.refuse(new TooManyAttempts(RETRY_AFTER))
  }

  return {
    join: (task) => {
      const from = requestOrigin()?.address ?? null
      const network = from === null ? NO_NETWORK : (from.org ?? from.host)
      const host = from?.host ?? NO_NETWORK
      const queue = queues.get(network) ?? []
      const isFull =
        queue.length >= MAX_OF_NETWORK || queue.filter((other) => other.host === host).length >= MAX_OF_HOST
      if (from !== null && isFull) throw new TooManyAttempts(RETRY_AFTER)
      if (waiting >= MAX_WAITING) refuseOneOfMost(queue.length + 1)
      queue.push({ ...task, host })
      queues.set(network, queue)
      waiting += 1
    },
    next: () => {
      const [first] = queues
      if (first === undefined) return undefined
      const [network, queue] = first
      const next = queue.shift()
      // The network goes to the end of the line.
      queues.delete(network)
      if (queue.length > 0) queues.set(network, queue)
      waiting -= 1
      return next
    },
  }
}

/**
 * Runs a hash when its turn has come, so that many logins at once slow down logins alone. A refusal does not depend on the
 * account: it tells nothing.
 * @throws TooManyAttempts when too many wait already
 */
export const passwordHashQueue = limitConcurrency(CONCURRENT_HASHES, fairLine())
