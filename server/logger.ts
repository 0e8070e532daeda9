import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Env } from './env'
import { errorForLog } from './log-error'

/**
 * JSON lines on stdout, unless another destination is given; on a developer's terminal readable ones. Headers, bodies and
 * what follows the path of an address are never logged.
 */
export function createLogger(
  { NODE_ENV, LOG_LEVEL }: Pick<Env, 'NODE_ENV' | 'LOG_LEVEL'>,
  to?: DestinationStream,
): Logger {
  // prettier-ignore
  const options = { level: LOG_LEVEL, base: null, serializers: { err: errorForLog } }
  if (to !== undefined) return pino(options, to)
  const readable = NODE_ENV !== 'production' && process.stdout.isTTY
  return readable ? pino(options, pretty({ sync: true, ignore: 'pid,hostname' })) : pino(options)
}
