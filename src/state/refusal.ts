import type { AskFailure } from '../db/account-request'
import { UNREACHED } from '../domain/unreached-words'

/** Why, in the server's words where it has some, and otherwise in `ours`. */
export const reasonOf = ({ status, message }: AskFailure, ours: string): string =>
  status === 0 ? UNREACHED : message === '' ? ours : message
