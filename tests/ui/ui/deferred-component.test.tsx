import { act, render, screen, waitFor } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect, test, vi } from 'vitest'
import { deferredComponent } from '../../../src/ui/deferred-component'
import { catchReports } from '../support/reports'

const Greeting = ({ name }: { readonly name: string }) => <p>Hello {name}</p>
type Load = () => Promise<ComponentType<{ readonly name: string }>>

test('a deferred component is not yet loaded when its surroundings are rendered, and shows once loaded', async () => {
  const load = vi.fn<Load>(async () => Greeting)
  const Part = deferredComponent(load)
  render(<Part name="Ada" />)
  expect(load).not.toHaveBeenCalled()
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})

test('a deferred component that could not be loaded is loaded again with the next connection, not before', async () => {
  const reports = catchReports()
  const load = vi.fn<Load>(async () => Greeting).mockRejectedValueOnce(new Error('Failed to fetch'))
  const Part = deferredComponent(load)
  render(<Part name="Ada" />)
  await waitFor(() => expect(reports).toMatchObject([{ message: 'Failed to fetch' }]))
  expect(load).toHaveBeenCalledOnce()
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})
