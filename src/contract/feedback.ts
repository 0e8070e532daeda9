import * as z from 'zod'
import { LONGEST_FEEDBACK, SHORTEST_FEEDBACK } from '../domain/account'

/** PostgreSQL's text holds every character but this one. */
const noZero = (text: string) => !text.includes('\0')

export const feedbackBody = z.strictObject({
  message: z.string().trim().min(SHORTEST_FEEDBACK).max(LONGEST_FEEDBACK).refine(noZero, 'Must not contain U+0000.'),
})
