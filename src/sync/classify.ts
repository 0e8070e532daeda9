import * as z from 'zod'
import { widget } from '../contract/widget'
import { isAnonymousOwner } from '../domain/ids'
import type { Outcome } from '../db/answers/outcome'
import { rulesOf } from '../db/kinds/registry'
import type { Entry, EntryError } from '../db/outbox-entry'
import { type Answer, NOT_UNDERSTOOD } from './answer'

/** PAIR_EXISTS carries the widget that is there. */
const pairExists = z.looseObject({ widget })

/** What an answer means for the entry it was given to. */
export function classify(entry: Entry, answer: Answer): Outcome {
  switch (answer.kind) {
    case 'ok':
      return { kind: 'done', value: answer.value }
    case 'not-mine':
      return { kind: 'not-sent' }
    case 'unchanged':
      return again({ status: 304, error_code: null, message: NOT_UNDERSTOOD }, null)
    case 'unavailable':
      return again({ status: answer.status, error_code: null, message: answer.message }, answer.retryAfter)
    case 'refused':
      return refusal(entry, answer)
  }
}

/** An attempt before this one ended without NOT_FOUND: the server may have made the thing then. */
const mayHaveBeenMade = ({ attempts, not_found = 0 }: Entry): boolean => attempts > not_found + 1

const again = (error: EntryError, retryAfter: number | null): Outcome => ({ kind: 'again', retryAfter, error })

function refusal(entry: Entry, answer: Extract<Answer, { kind: 'refused' }>): Outcome {
  const { status, error_code, message, body } = answer
  const rules = rulesOf(entry)
  const error: EntryError = { status, error_code, message }
  // A guest cannot log in again: a proxy has dropped the header, or the server refuses the id for a while.
  if (status === 401) return isAnonymousOwner(entry.owner) ? again(error, null) : { kind: 'pause', error }
  if (rules.doneWhen.includes(error_code)) return { kind: 'already', error }
  const makes = rules.makes(entry.payload) !== null
  if (makes && error_code === 'NOT_FOUND') {
    // The key of a guest's thing may be spent since an earlier try: that says nothing about this one.
    const isRemoved = entry.brings === undefined && mayHaveBeenMade(entry)
    return isRemoved ? { kind: 'removed-since' } : { kind: 'not-there', error }
  }
  if (makes && error_code === 'PAIR_EXISTS') {
    const existing = pairExists.safeParse(body)
    if (existing.success) return { kind: 'exists', widget: existing.data.widget, error }
  }
  return { kind: 'refused', error }
}
