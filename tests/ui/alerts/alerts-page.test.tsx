import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AlertsPage } from '../../../src/features/alerts/alerts-page'

test('is the placeholder', () => {
  render(<AlertsPage />)
  expect(screen.getByRole('heading', { level: 1, name: 'Alerts History' })).toBeDefined()
  expect(screen.getByText('COMING SOON')).toBeDefined()
})
