import { isAnonymousOwner } from '../domain/ids'
import type { OwnerRow, SessionRow } from './rows'

/** Whether anything can be sent as whoever uses the app now: not once their session has ended, before they log in anew. */
export const isServed = ({ owner, tokens }: SessionRow, { paused }: OwnerRow): boolean =>
  !paused && (isAnonymousOwner(owner) || tokens !== null)
