import { expect, test } from 'vitest'
import { serverAt } from '../../server/adapters/payments/stripe'

test.each([
  ['https://api.example.com', { host: 'api.example.com', port: 443, protocol: 'https' }],
  ['http://localhost', { host: 'localhost', port: 80, protocol: 'http' }],
  ['http://127.0.0.1:12111', { host: '127.0.0.1', port: 12_111, protocol: 'http' }],
  ['http://[::1]:12111', { host: '::1', port: 12_111, protocol: 'http' }],
])('STRIPE_API_URL %s sets host, port and protocol for the Stripe SDK', (url, server) => {
  expect(serverAt(url)).toEqual(server)
})
