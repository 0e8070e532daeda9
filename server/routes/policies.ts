import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { API_BASE, routes } from '../../src/contract/routes'
import { ApiError } from '../api-error'
import type { AppParts } from '../app-parts'
import { POLICY_KINDS } from '../services/policies/policies'
import { serve } from './serve'

const textParams = z.strictObject({ policy: z.enum(POLICY_KINDS), version: z.string().regex(/^\d{4}-\d{2}-\d{2}$/) })

/** What users accept: which versions are in force, and the text of each version there ever was. */
export function policyRoutes(app: FastifyInstance, { policies }: Pick<AppParts, 'policies'>): void {
  serve(app, routes.currentPolicies, async ({ reply }) => {
    reply.header('cache-control', 'no-cache')
    return policies.current
  })

  app.get(
    `${API_BASE}/policies/:policy/:version`,
    { schema: { summary: "A policy's text (text/plain)", params: textParams, hide: true } },
    async (request, reply) => {
      const { policy, version } = textParams.parse(request.params)
      const text = policies.text(policy, version)
      if (text === null) throw new ApiError('NOT_FOUND', 'There is no such version.')
      // A version never changes: another text is another version.
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=31536000, immutable').send(text) // prettier-ignore
    },
  )
}
