import { checkoutAnswer, portalAnswer } from './billing'
import type { Route } from './routes'
import { emptyBody, user } from './session'

/** Where Premium is bought and managed. */
export const billingRoutes = {
  createCheckoutSession: {
    method: 'POST',
    path: '/subscriptions/create-checkout-session',
    identity: 'user',
    summary: 'Opens a page of the payment provider on which the caller can subscribe to Premium',
    body: emptyBody,
    status: 200,
    answer: checkoutAnswer,
  },
  createPortalSession: {
    method: 'POST',
    path: '/subscriptions/create-portal-session',
    identity: 'user',
    summary: "Opens a page of the payment provider on which the caller's subscription is managed",
    body: emptyBody,
    status: 200,
    answer: portalAnswer,
  },
  /** For who comes back from a page of the provider, whose event may still be on its way. */
  refreshSubscription: {
    method: 'POST',
    path: '/subscriptions/refresh',
    identity: 'user',
    summary: "Asks the payment provider what the caller pays for; answers with the caller's account",
    body: emptyBody,
    status: 200,
    answer: user,
  },
} as const satisfies Record<string, Route>
