/** Milliseconds for which a change can be taken back by its toast, and is not sent. */
export const UNDO_TIME = 10_000
/** The same if the user rests on the toast: a mouse that is left there must not keep the change from the server. */
export const LONGEST_UNDO = 30_000
/** Milliseconds: a toast comes a little later than its change, and a press at its last moment later still. */
export const UNDO_MARGIN = 1_000
