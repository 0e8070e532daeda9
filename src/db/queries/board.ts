import type { LocalDatabase } from '../database'
import { withSnapshot } from '../read-snapshot'
import { boardOf, type BoardView } from '../view'

/** Undefined before there is an identity. */
export const readBoard = (db: LocalDatabase): Promise<BoardView | undefined> => withSnapshot(db, boardOf)
