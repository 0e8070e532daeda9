import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { BoardView } from '../../../src/db/view'
import type { OwnerId } from '../../../src/domain/ids'
import { LayoutSaveStatus } from '../../../src/features/dashboard/layout-save-status'

beforeEach(() => void vi.useFakeTimers())

const board = (layout: BoardView['layout']): BoardView => ({
  owner: 'anon-1' as OwnerId,
  account: 'guest',
  widgets: [],
  limits: { max_widgets: 5, max_checkpoints_per_widget: 1 },
  loaded: true,
  changes: [],
  layout,
  ids: {},
})
const status = () => screen.getByRole('status')

test('the layout save status says each state of the save; "Saved" hides after 2 s and is over after 2.1 s', () => {
  const { rerender } = render(<LayoutSaveStatus board={board('idle')} />)
  expect(status().textContent).toBe('')
  rerender(<LayoutSaveStatus board={board('dirty')} />)
  expect(status().textContent).toBe('Unsaved changes')
  rerender(<LayoutSaveStatus board={board('saving')} />)
  expect(status().textContent).toBe('Saving…')
  rerender(<LayoutSaveStatus board={board('idle')} />)
  expect(status().textContent).toBe('Saved')
  // The animation that hides it is the stylesheet's; it begins when this says.
  expect(status().style.animationDelay).toBe('2000ms')
  act(() => void vi.advanceTimersByTime(2_099))
  expect(status().dataset['state']).toBe('success')
  act(() => void vi.advanceTimersByTime(1))
  expect(status().dataset['state']).toBe('idle')
  expect(status().textContent).toBe('')
})

test('the layout save status of a change made while "Saved" shows is "Unsaved changes", and stays so', () => {
  const { rerender } = render(<LayoutSaveStatus board={board('saving')} />)
  rerender(<LayoutSaveStatus board={board('idle')} />)
  rerender(<LayoutSaveStatus board={board('dirty')} />)
  act(() => void vi.advanceTimersByTime(5_000))
  expect(status().textContent).toBe('Unsaved changes')
})
