/** How the id of a subscription begins that an operator has granted and nobody pays for. */
export const MANUAL_PREFIX = 'manual_'

export const isManual = (id: string): boolean => id.startsWith(MANUAL_PREFIX)

/**
 * The statuses of Stripe's subscriptions that give Premium
 * (https://docs.stripe.com/api/subscriptions/object#subscription_object-status): `past_due` is still being collected.
 */
export const ENTITLING_STATUSES = ['active', 'trialing', 'past_due'] as const

export const isEntitling = (status: string): boolean => (ENTITLING_STATUSES as readonly string[]).includes(status)

/** Days of a grant, unless said otherwise, and the most that can be granted at once. */
export const DEFAULT_GRANT_DAYS = 30
export const LONGEST_GRANT_DAYS = 3650
