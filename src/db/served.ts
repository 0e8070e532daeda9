import { isAnonymousOwner } from '../domain/ids'
import type { OwnerRow, SessionRow } from './rows'

/**
 * True if requests can be sent as the present owner. A user whose session has ended is served after the next login. A
 * guest always is: guests cannot log in, so `paused`, which earlier versions set for them too, means nothing there.
 */
export const isServed = ({ owner, tokens }: SessionRow, { paused }: OwnerRow): boolean =>
  isAnonymousOwner(owner) || (!paused && tokens !== null)
