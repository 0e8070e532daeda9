import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useShortcuts } from '../../../src/ui/use-shortcuts'

const add = vi.fn()

function Page() {
  useShortcuts({ n: add }, true)
  return (
    <>
      <p>Pairs</p>
      <input aria-label="Search" />
      <div role="menu">
        <button role="menuitem" type="button">
          Move last
        </button>
      </div>
      <div role="listbox" tabIndex={0} />
    </>
  )
}

test('a letter runs its shortcut, but not in a field, an open menu or a list of options', () => {
  render(<Page />)
  for (const role of ['textbox', 'menuitem', 'listbox']) fireEvent.keyDown(screen.getByRole(role), { key: 'n' })
  expect(add).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByText('Pairs'), { key: 'n' })
  expect(add).toHaveBeenCalledOnce()
})
