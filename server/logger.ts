import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Env } from './env'
import { gatherOutages } from './outage-lines'

interface LoggedError {
  readonly type: string
  readonly message: string
  /** The stack without the message. */
  readonly stack: readonly string[]
  readonly code?: string
  readonly cause?: LoggedError
}

/**
 * An error as it may stand in a log. Values that the database was given, or quotes, stay out: addresses, hashes
 * and texts of people are there.
 */
export function errorForLog(error: unknown): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something was thrown that is no error', stack: [] }
  const { code } = error as { readonly code?: unknown }
  return {
    type: error.name,
    message: withoutValues(error),
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(typeof code === 'string' && { code }),
    ...(error.cause !== undefined && { cause: errorForLog(error.cause) }),
  }
}

function withoutValues(error: Error): string {
  // Drizzle's: the statement, then "params:" and every value.
  if ('query' in error && 'params' in error) return `Failed query: ${String(error.query)}`
  // PostgreSQL's: 'invalid input syntax for type uuid: "…"'. Names of tables and constraints follow no colon.
  return 'severity' in error ? error.message.replace(/: ".*$/s, '') : error.message
}

/** One line for a table that operators read, under the same rule: the error's message and that of its cause. */
export function messageForLog(error: unknown): string {
  const { message, cause } = errorForLog(error)
  return cause === undefined ? message : `${message}: ${cause.message}`
}

/**
 * JSON lines on stdout, unless another destination is given; on a developer's terminal readable ones. Headers, bodies and
 * what follows the path of an address are never logged.
 */
export function createLogger(
  { NODE_ENV, LOG_LEVEL }: Pick<Env, 'NODE_ENV' | 'LOG_LEVEL'>,
  to?: DestinationStream,
): Logger {
  const hooks = { logMethod: gatherOutages(() => logger) }
  const options = { level: LOG_LEVEL, base: null, serializers: { err: errorForLog }, hooks }
  const isReadable = NODE_ENV !== 'production' && process.stdout.isTTY
  const readable = () => (isReadable ? pretty({ sync: true, ignore: 'pid,hostname' }) : undefined)
  const stream = to ?? readable()
  const logger: Logger = stream === undefined ? pino(options) : pino(options, stream)
  return logger
}
