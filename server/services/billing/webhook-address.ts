import { API_BASE } from '../../../src/contract/routes'

/** Where the payment provider posts what has happened. No call of the contract: no client ever asks it. */
export const BILLING_WEBHOOK = `${API_BASE}/billing/webhook`
