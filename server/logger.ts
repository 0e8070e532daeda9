import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Env } from './env'

/** JSON lines on stdout; on a developer's terminal readable ones. Headers and bodies are never logged. */
export function createLogger({ NODE_ENV, LOG_LEVEL }: Env): Logger {
  const readable = NODE_ENV !== 'production' && process.stdout.isTTY
  const options = { level: LOG_LEVEL, base: null }
  return readable ? pino(options, pretty({ sync: true, ignore: 'pid,hostname' })) : pino(options)
}
