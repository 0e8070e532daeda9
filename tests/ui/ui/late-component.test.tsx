import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Component, type ComponentType, type ReactNode, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { lateComponent } from '../../../src/ui/late-component'
import { catchReports } from '../support/reports'

const Greeting = ({ name }: { readonly name: string }) => <p>Hello {name}</p>
type Load = () => Promise<ComponentType<{ readonly name: string }>>
/** A connection that breaks once. */
const failingOnce = () => vi.fn<Load>(async () => Greeting).mockRejectedValueOnce(new Error('Failed to fetch'))

/** A button that shows the part; a part that is missing is closed again. */
function opener(load: Load) {
  const Part = lateComponent(load, { onFailure: 'notice' })
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

test('a late component with a notice is loaded when it is first shown, and only once', async () => {
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

test('a late component with a notice that cannot be loaded is reported, leaves its screen alone, and is tried again', async () => {
  const reports = catchReports()
  const Opener = opener(failingOnce())
  render(<Opener />)
  await click()
  await waitFor(() => expect(screen.getByText('closed')).toBeDefined())
  expect(reports).toMatchObject([{ message: 'Failed to fetch' }])
  await click()
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})

test('a late component with a notice that throws while rendering leaves its screen alone', async () => {
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
})

test('a late component unmounted before its load fails is reported, but does not call onMissing', async () => {
  const reports = catchReports()
  let fail = (_error: Error) => {}
  const Part = lateComponent<object>(
    () =>
      new Promise((_, reject) => {
        fail = reject
      }),
    { onFailure: 'notice' },
  )
  const onMissing = vi.fn()
  const { unmount } = render(<Part onMissing={onMissing} />)
  unmount()
  fail(new Error('too late'))
  await waitFor(() => expect(reports).toHaveLength(1))
  expect(onMissing).not.toHaveBeenCalled()
})

test('a late component that hides its failure is fetched after its surroundings are drawn', async () => {
  const load = vi.fn<Load>(async () => Greeting)
  const Part = lateComponent(load)
  render(<Part name="Ada" />)
  expect(load).not.toHaveBeenCalled()
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})

test('a late component that hides its failure is fetched again with the next connection, not before', async () => {
  const reports = catchReports()
  const load = failingOnce()
  const Part = lateComponent(load)
  render(<Part name="Ada" />)
  await waitFor(() => expect(reports).toMatchObject([{ message: 'Failed to fetch' }]))
  expect(load).toHaveBeenCalledOnce()
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})

class Boundary extends Component<{ readonly children: ReactNode }, { readonly message: string | null }> {
  override state = { message: null }
  static getDerivedStateFromError({ message }: Error) {
    return { message }
  }
  override render() {
    return this.state.message ?? this.props.children
  }
}

const brokenScreen = (Part: ComponentType<{ readonly name: string }>) =>
  render(
    <Boundary>
      <Part name="Ada" />
    </Boundary>,
    { onCaughtError: (error) => reportError(error) },
  )

test('a late component that throws its failure breaks the screen around it, and is fetched again when that is shown anew', async () => {
  const reports = catchReports()
  const Part = lateComponent(failingOnce(), { onFailure: 'throw' })
  const { unmount } = brokenScreen(Part)
  expect(await screen.findByText('Failed to fetch')).toBeDefined()
  expect(reports).toHaveLength(1)
  unmount()
  brokenScreen(Part)
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})

test('a late component that throws its failure leaves an error of drawing to the screen around it', async () => {
  const reports = catchReports()
  const broken = () => {
    throw new Error('no such column')
  }
  brokenScreen(lateComponent<{ readonly name: string }>(async () => broken, { onFailure: 'throw' }))
  expect(await screen.findByText('no such column')).toBeDefined()
  expect(reports).toMatchObject([{ message: 'no such column' }])
})

/** Calls `act` once it is in the document, before the effects of what came with it. */
function Drawn({ act }: { readonly act: () => void }) {
  useLayoutEffect(act, [act])
  return null
}

test('a late component whose code comes between the render and the effects of another instance is shown there', async () => {
  let deliver: (component: ComponentType<{ readonly name: string }>) => void = () => undefined
  const code = new Promise<ComponentType<{ readonly name: string }>>((resolve) => (deliver = resolve))
  const load = vi.fn(() => code)
  const Late = lateComponent(load, { onFailure: 'throw' })
  // React's own time: `act` runs effects in the same turn as the render.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(<Late key="first" name="Ada" />)
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
  root.render([<Late key="second" name="Grace" />, <Drawn key="drawn" act={() => deliver(Greeting)} />])
  await vi.waitFor(() => expect(document.body.textContent).toContain('Hello Grace'))
  root.unmount()
})
