import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { keepFeedback } from '../services/feedback/keep-feedback'
import { serve } from './serve'

export function feedbackRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.feedback, async ({ caller, body, op }) => {
    await keepFeedback(parts, { caller, message: body.message, op })
    return { message: 'Thank you for your feedback!' }
  })
}
