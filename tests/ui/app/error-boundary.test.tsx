import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ErrorBoundary } from '../../../src/app/error-boundary'

function Broken(): never {
  throw new Error('no such column')
}

test.each([
  ['nothing', true],
  ['shell', false],
] as const)('a screen that fails gives way to the error and a Reload button (within: %s)', async (within, ownsPage) => {
  // React reports what it caught to the console.
  vi.spyOn(console, 'error').mockReturnValue()
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  render(
    <ErrorBoundary within={within}>
      <Broken />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'Something went wrong on this screen' })).toBeTruthy()
  expect(screen.getByText('no such column')).toBeTruthy()
  expect(screen.queryByRole('main') !== null).toBe(ownsPage)
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(reload).toHaveBeenCalledOnce()
})
