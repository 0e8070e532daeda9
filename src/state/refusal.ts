import type { AskFailure } from '../db/account-request'

/** What to do where nothing answered. */
export const UNREACHED = 'The server could not be reached. Check your connection and try again.'

/** Why, in the server's words where it has some, and otherwise in `ours`. */
export const reasonOf = ({ status, message }: AskFailure, ours: string): string =>
  status === 0 ? UNREACHED : message === '' ? ours : message
