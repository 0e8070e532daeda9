/** Objects of Stripe's API (version 2026-10-28.endive), with the members that somebody looks at. Times are seconds. */

export interface StripeCustomer {
  readonly id: string
  readonly object: 'customer'
  readonly created: number
  readonly email: string | null
  readonly metadata: Readonly<Record<string, string>>
}

export interface StripeSubscription {
  readonly id: string
  readonly object: 'subscription'
  readonly created: number
  readonly customer: string
  readonly status: string
  readonly cancel_at_period_end: boolean
  readonly cancel_at: number | null
  readonly canceled_at: number | null
  readonly ended_at: number | null
  readonly metadata: Readonly<Record<string, string>>
  /** The period stands here, not on the subscription. */
  readonly items: StripeList<StripeSubscriptionItem>
}

interface StripeSubscriptionItem {
  readonly id: string
  readonly object: 'subscription_item'
  readonly subscription: string
  readonly current_period_start: number
  readonly current_period_end: number
  readonly price: { readonly id: string; readonly object: 'price' }
}

export interface StripeCheckoutSession {
  readonly id: string
  readonly object: 'checkout.session'
  readonly created: number
  readonly mode: 'subscription'
  readonly status: 'open' | 'complete' | 'expired'
  readonly payment_status: 'paid' | 'unpaid'
  readonly customer: string
  readonly client_reference_id: string | null
  readonly subscription: string | null
  readonly success_url: string
  readonly cancel_url: string | null
  /** Null once it is not open any more. */
  readonly url: string | null
  readonly metadata: Readonly<Record<string, string>>
}

export interface StripePortalSession {
  readonly id: string
  readonly object: 'billing_portal.session'
  readonly created: number
  readonly customer: string
  readonly return_url: string | null
  readonly url: string
}

export interface StripeList<T> {
  readonly object: 'list'
  readonly url: string
  readonly has_more: boolean
  readonly data: readonly T[]
}

/** The body that Stripe posts to a webhook. */
export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly api_version: string
  readonly created: number
  readonly livemode: false
  readonly pending_webhooks: number
  readonly request: { readonly id: null; readonly idempotency_key: null }
  readonly type: string
  /** The object as it was when it happened. */
  readonly data: { readonly object: Readonly<Record<string, unknown>> }
}
