import type { Logger, LoggerOptions } from 'pino'
import { MINUTE } from '../src/domain/granularity'
import { isOutOfReach } from './db/out-of-reach'
import { nodeTimer } from './waits'

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/**
 * Gathers all that the parts of a process log because the database cannot be reached, requests and jobs alike: the first is
 * logged at once, the others as one line a minute that says how many there were of each.
 * @param logger for the line of a minute
 */
export function gatherOutages(logger: () => Logger): LogMethod {
  /** How often each was to be logged since the last line; null: none was in the past minute. */
  let counts: Record<string, number> | null = null
  const nextLine = () => {
    nodeTimer(MINUTE, () => {
      const gathered = counts ?? {}
      const times = Object.values(gathered).reduce((sum, count) => sum + count, 0)
      counts = null
      if (times === 0) return
      counts = {}
      nextLine()
      logger().error({ times, failures: gathered }, 'the database could not be reached in the past minute')
    })
  }
  return function gather(args, method, level) {
    const [fields, message] = args as unknown as [{ readonly err?: unknown } | string, string?]
    const isGathered =
      level >= WARN && level <= ERROR && typeof fields === 'object' && fields !== null && isOutOfReach(fields.err)
    if (!isGathered) return method.apply(this, args)
    const failure = message ?? ''
    if (counts !== null) {
      counts[failure] = (counts[failure] ?? 0) + 1
      return
    }
    counts = {}
    nextLine()
    method.apply(this, [{ err: fields.err, failure }, 'the database cannot be reached'])
  }
}

/** Pino's numbers. */
const WARN = 40
const ERROR = 50
