import type { Config } from '../../../src/contract/settings'

/** A server's public settings, those of a plain server but for what is given. */
export const configOf = (values: Partial<Config>): Config => ({
  version: '1.0.0',
  vapid_public_key: null,
  google: null,
  billing: { available: false, sandbox: false },
  market_data: { source: 'simulated', price_url: '/api/v3', attribution: { text: 'Simulated', url: null } },
  support_email: 'support@example.com',
  ...values,
})
