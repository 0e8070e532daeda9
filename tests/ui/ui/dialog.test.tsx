import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { AlertDialog } from '../../../src/ui/alert-dialog'
import { Dialog } from '../../../src/ui/dialog'

function Opener() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <Dialog title="Coins" onClose={() => setOpen(false)}>
          <input aria-label="Search" />
        </Dialog>
      )}
    </>
  )
}
/** The events that the browser sends for Escape. */
function cancel(dialog: HTMLElement): Event {
  const event = new Event('cancel', { cancelable: true })
  act(() => void dialog.dispatchEvent(event))
  return event
}

async function opened() {
  render(<Opener />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  return screen.getByRole('dialog', { name: 'Coins' })
}
const isClosedAndFocusIsBack = () => {
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }))
}

test('a dialog closed by Escape gives the focus back, and keeps the browser from closing the dialog itself', async () => {
  const dialog = await opened()
  screen.getByRole('textbox').focus()
  // Prevented: the browser must not close what React still renders.
  expect(cancel(dialog).defaultPrevented).toBe(true)
  isClosedAndFocusIsBack()
})

test('a dialog closed by its Close button gives the focus back to the opener', async () => {
  await opened()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  isClosedAndFocusIsBack()
})

test('a dialog closed by a click on the backdrop gives the focus back to the opener', async () => {
  const dialog = await opened()
  fireEvent.mouseDown(dialog)
  fireEvent.click(dialog)
  isClosedAndFocusIsBack()
})

test('a dialog whose opener is gone gives the focus to the content of the page', async () => {
  render(
    <main tabIndex={-1}>
      <Opener />
    </main>,
  )
  const button = screen.getByRole('button', { name: 'Open' })
  await userEvent.click(button)
  button.remove()
  screen.getByRole('textbox').focus()
  cancel(screen.getByRole('dialog', { name: 'Coins' }))
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('a dialog stays open when a drag that began inside ends on the backdrop', async () => {
  const dialog = await opened()
  fireEvent.mouseDown(screen.getByRole('textbox'))
  fireEvent.click(dialog)
  expect(screen.getByRole('dialog')).toBe(dialog)
})

test('an alert dialog stays open when the backdrop is clicked, focuses Cancel, and is cancelled by Escape', async () => {
  const onCancel = vi.fn()
  const onConfirm = vi.fn()
  render(
    <AlertDialog title="Confirm Deletion" action="Remove" onConfirm={onConfirm} onCancel={onCancel}>
      Sure?
    </AlertDialog>,
  )
  const dialog = screen.getByRole('alertdialog', { name: 'Confirm Deletion' })
  fireEvent.mouseDown(dialog)
  fireEvent.click(dialog)
  expect(onCancel).not.toHaveBeenCalled()

  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(onConfirm).toHaveBeenCalledOnce()
  cancel(dialog)
  expect(onCancel).toHaveBeenCalledOnce()
})
