import type { AskFailure } from '../../db/account-request'
import { reasonOf } from '../../state/refusal'

const UNCERTAIN = 'Nothing answered, so it may have been done all the same. Look again before you repeat it.'

/** What is said of an action that was not taken; `failed` is the specification's sentence. */
export const refusalOf = (failed: string, failure: AskFailure): string =>
  `${failed} ${failure.status === 0 ? UNCERTAIN : reasonOf(failure, '')}`.trim()
