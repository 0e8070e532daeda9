import * as z from 'zod'
import { LONGEST_FEEDBACK, SHORTEST_FEEDBACK } from '../domain/account'

export const feedbackBody = z.strictObject({ message: z.string().trim().min(SHORTEST_FEEDBACK).max(LONGEST_FEEDBACK) })
