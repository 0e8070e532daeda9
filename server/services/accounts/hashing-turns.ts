import { TooManyAttempts } from '../../too-many-attempts'

/**
 * Hashes under way at once. They run on the process's few worker threads, in front of everything else that needs those:
 * the check of every access token, files, names of hosts.
 */
const AT_ONCE = 2
/** About half a second of them on a small machine; whoever comes later is better told than kept waiting. */
const MOST_WAITING = 100
/** Seconds after which it is worth coming again. */
const COME_AGAIN = 2

let underWay = 0
const waiting: (() => void)[] = []

/**
 * Does `work` when it is its turn, so that many logins at once slow down logins alone. Who is refused is refused whatever
 * the account: it tells nothing.
 * @throws TooManyAttempts when too many wait already
 */
export async function inHashingTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay < AT_ONCE) underWay += 1
  else {
    if (waiting.length >= MOST_WAITING) throw new TooManyAttempts(COME_AGAIN)
    // The turn is handed over as it is: nobody who comes in between can take it.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) underWay -= 1
    else next()
  }
}
