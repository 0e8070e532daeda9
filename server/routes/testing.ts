import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { widgets } from '../db/schema/widgets'
import { inOwnersTurn } from '../services/owners'
import { serve } from './serve'

/** What only tests may ask for; registered where ENABLE_TESTING_ROUTES says so, which production refuses. */
export function testingRoutes(app: FastifyInstance, { database, clock }: AppParts): void {
  serve(app, routes.resetUserState, async ({ caller }) => {
    await inOwnersTurn(database, caller, clock(), async (tx, owner) => {
      await tx.delete(widgets).where(eq(widgets.owner_id, owner.id))
    })
    return undefined
  })
}
