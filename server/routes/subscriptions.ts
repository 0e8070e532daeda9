import type { FastifyInstance } from 'fastify'
import { routes } from '../../src/contract/routes'
import type { AppParts } from '../app-parts'
import { openCheckout } from '../services/billing/open-checkout'
import { openPortal } from '../services/billing/open-portal'
import { refreshSubscription } from '../services/billing/refresh-subscription'
import { serve } from './serve'

/** Buying Premium, and managing what was bought: both on pages of the payment provider. */
export function subscriptionRoutes(app: FastifyInstance, parts: AppParts): void {
  serve(app, routes.createCheckoutSession, async ({ caller }) => openCheckout(parts, caller))

  serve(app, routes.createPortalSession, async ({ caller }) => openPortal(parts, caller))

  serve(app, routes.refreshSubscription, async ({ caller }) => refreshSubscription(parts, caller))
}
