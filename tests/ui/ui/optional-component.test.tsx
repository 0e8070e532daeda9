import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useLayoutEffect, useState, type ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { lazyScreen, optionalComponent } from '../../../src/ui/deferred-component'
import { catchReports } from '../support/reports'

const Greeting = ({ name }: { readonly name: string }) => <p>Hello {name}</p>

/** A button that shows the part; a part that is missing is closed again. */
function opener(load: () => Promise<ComponentType<{ readonly name: string }>>) {
  const Part = optionalComponent(load)
  return function Opener() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <p>{open ? 'open' : 'closed'}</p>
        {open && <Part name="Ada" onMissing={() => setOpen(false)} />}
      </>
    )
  }
}
const click = () => userEvent.click(screen.getByRole('button', { name: 'Open' }))

test('an optional component is loaded when it is first shown, and only once', async () => {
  const load = vi.fn(() => Promise.resolve(Greeting))
  const Opener = opener(load)
  render(<Opener />)
  expect(load).not.toHaveBeenCalled()
  await click()
  expect(await screen.findByText('Hello Ada')).toBeDefined()
  render(<Opener />)
  await userEvent.click(screen.getAllByRole('button')[1]!)
  expect(screen.getAllByText('Hello Ada')).toHaveLength(2)
  expect(load).toHaveBeenCalledOnce()
})

test('an optional component that cannot be loaded is reported, leaves its screen alone, and is tried again', async () => {
  const reports = catchReports()
  const load = vi.fn<() => Promise<ComponentType<{ readonly name: string }>>>()
  load.mockRejectedValueOnce(new Error('Failed to fetch')).mockResolvedValue(Greeting)
  const Opener = opener(load)
  render(<Opener />)
  await click()
  await waitFor(() => expect(screen.getByText('closed')).toBeDefined())
  expect(reports).toMatchObject([{ message: 'Failed to fetch' }])
  await click()
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})

test('an optional component that throws while rendering leaves its screen alone', async () => {
  // React reports what it caught to the console.
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  const Opener = opener(() =>
    Promise.resolve(() => {
      throw new Error('no such column')
    }),
  )
  render(<Opener />)
  await click()
  await waitFor(() => expect(screen.getByText('closed')).toBeDefined())
  expect(printed).toHaveBeenCalled()
  printed.mockRestore()
})

test('an optional component unmounted before its load fails is reported, but does not call onMissing', async () => {
  const reports = catchReports()
  let fail = (_error: Error) => {}
  const Part = optionalComponent<object>(
    () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  )
  const onMissing = vi.fn()
  const { unmount } = render(<Part onMissing={onMissing} />)
  unmount()
  fail(new Error('too late'))
  await waitFor(() => expect(reports).toHaveLength(1))
  expect(onMissing).not.toHaveBeenCalled()
})

/** Calls `act` once it is in the document, before the effects of what came with it. */
function Drawn({ act }: { readonly act: () => void }) {
  useLayoutEffect(act, [act])
  return null
}

test('a lazy screen whose code comes between the render and the effects of another instance is shown there', async () => {
  let deliver: (component: ComponentType<{ readonly name: string }>) => void = () => undefined
  const code = new Promise<ComponentType<{ readonly name: string }>>((resolve) => (deliver = resolve))
  const load = vi.fn(() => code)
  const Late = lazyScreen(load)
  // React's own time: `act` runs effects in the same turn as the render.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<Late key="first" name="Ada" />)
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
  root.render([<Late key="second" name="Grace" />, <Drawn key="drawn" act={() => deliver(Greeting)} />])
  await vi.waitFor(() => expect(document.body.textContent).toContain('Hello Grace'))
  root.unmount()
})
