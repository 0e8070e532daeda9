import type { Pool, PoolClient } from 'pg'

/**
 * For a transaction at the start of a process, which may wait for another process's migration or change a large table. The
 * limit on idle transactions stays: a process that hangs must not hold its locks for ever.
 */
export const WITHOUT_TIME_LIMITS = 'SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0'

/**
 * Runs `work` in a transaction on a connection of its own; inside, only that connection must be used. An error
 * undoes all of it.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // Ends the connection, and with it the transaction, whatever state it is in.
    client.release(true)
    throw error
  }
}
