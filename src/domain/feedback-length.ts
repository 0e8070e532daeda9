import { LONGEST_FEEDBACK, SHORTEST_FEEDBACK } from './account'

/** Characters without the white space around the message. */
export const feedbackLength = (text: string): number => text.trim().length

/** Why a message of this length cannot be sent; null: it can. */
export function whatIsWrong(length: number): string | null {
  const missing = SHORTEST_FEEDBACK - length
  const over = length - LONGEST_FEEDBACK
  if (missing > 0) return `${missing} more ${characters(missing)} needed`
  if (over > 0) return `${over} ${characters(over)} too many`
  return null
}

const characters = (count: number): string => (count === 1 ? 'character' : 'characters')
