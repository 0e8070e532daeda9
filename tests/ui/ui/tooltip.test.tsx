import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Tooltip } from '../../../src/ui/tooltip'

test('a tooltip shows when its control has the focus, and the first Escape does nothing but hide the tooltip', async () => {
  const onKeyDown = vi.fn()
  render(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for a dialog around it
    <div onKeyDown={onKeyDown}>
      <Tooltip text="The limit is reached.">
        {(describedBy) => (
          <button type="button" aria-describedby={describedBy}>
            Add
          </button>
        )}
      </Tooltip>
    </div>,
  )
  const tip = screen.getByRole('tooltip')
  const closed = tip.className
  await userEvent.tab()
  expect(document.activeElement?.getAttribute('aria-describedby')).toBe(tip.id)
  expect(tip.className).not.toBe(closed)

  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(tip.className).toBe(closed)
  expect(onKeyDown).not.toHaveBeenCalled()
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(onKeyDown).toHaveBeenCalledOnce()
})
