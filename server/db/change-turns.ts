import { limitConcurrency, type WaitingLine, type WaitingTask } from '../waits'
import { noteOutOfReach } from './out-of-reach'

/** Transactions that may wait for rows, such as those which a crossing holds: so many at a time that others find connections to read. */
export interface ChangeTurns {
  /** @throws an error by which the database is out of reach: no turn has come in time */
  readonly run: <T>(change: () => Promise<T>) => Promise<T>
  /** How many wait for their turn. */
  readonly waiting: () => number
}

/**
 * @param width changes at a time
 * @param longestWait milliseconds for which a change waits for its turn, in their order
 */
export function changeTurns(width: number, longestWait: number): ChangeTurns {
  const line = new Map<WaitingTask, NodeJS.Timeout>()
  const inTurn: WaitingLine = {
    join(task) {
      const refuse = () => {
        line.delete(task)
        task.refuse(noteOutOfReach(new Error('A change got no turn: those before it wait for rows')))
      }
      line.set(task, setTimeout(refuse, longestWait))
    },
    next() {
      for (const [task, timer] of line) {
        clearTimeout(timer)
        line.delete(task)
        return task
      }
      return undefined
    },
  }
  return { run: limitConcurrency(width, inTurn), waiting: () => line.size }
}
