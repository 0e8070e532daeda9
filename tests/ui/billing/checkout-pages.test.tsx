import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CheckoutCanceledPage, CheckoutSuccessPage } from '../../../src/features/billing/checkout-pages'
import { startLocalApp } from '../support/local-app'

const wayBack = () => screen.getByRole<HTMLAnchorElement>('link', { name: 'Go to the dashboard' }).pathname

test('who has paid is thanked, and their account asked for in the background', async () => {
  const app = await startLocalApp()
  app.render(<CheckoutSuccessPage />)
  expect(screen.getByRole('heading', { name: 'Thank you!' })).toBeDefined()
  expect(app.asked).toEqual([{ kind: 'reload-account' }])
  expect(wayBack()).toBe('/')
})

test('who has not is told that nothing was charged', async () => {
  const app = await startLocalApp()
  app.render(<CheckoutCanceledPage />)
  expect(screen.getByText('Your subscription was canceled. You were not charged.')).toBeDefined()
  expect(app.asked).toEqual([])
  expect(wayBack()).toBe('/')
})
