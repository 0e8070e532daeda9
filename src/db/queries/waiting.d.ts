import type { LocalDatabase } from '../database';
/** Whether the present owner has done something that the server has not answered. */
export declare function hasWaitingChanges(db: LocalDatabase): Promise<boolean>;
/** The operation ids of the present owner's unanswered changes, in order; what a new change adds to. */
export declare function waitingOps(db: LocalDatabase): Promise<readonly string[]>;
