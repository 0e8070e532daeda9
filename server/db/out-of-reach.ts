/* Tells errors of a database that cannot be reached from those of a statement: the same request may succeed a little later. */

/**
 * PostgreSQL, or a pooler before it, says these of the connection and not of the statement: a connection's own errors, a server
 * that stops or starts, no place for another connection, and a server that has become a standby.
 */
const OF_THE_CONNECTION = /^(08...|57P0[1235]|53300|25006)$/

/** node-postgres says these of a connection that it has lost; they have no code. */
const OF_THE_DRIVER =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/

/** Errors of sockets look the same whoever is at the other end, so those of the database's are noted where they arise. */
const noted = new WeakSet<object>()

/** @param error of a connection to the database that could not be made, or was lost */
export function noteOutOfReach<E extends Error>(error: E): E {
  if (!wasAnswered(error)) noted.add(error)
  return error
}

/** True if PostgreSQL itself has said the error. */
export const wasAnswered = (error: object): error is { readonly code: string } => 'severity' in error && 'code' in error

/** True if the error is, or was caused by, a database that could not be reached. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (noted.has(error) || OF_THE_DRIVER.test(error.message)) return true
  if (wasAnswered(error) && OF_THE_CONNECTION.test(error.code)) return true
  return isOutOfReach(error.cause)
}
