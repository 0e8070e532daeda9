import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Sorting } from '../../../src/ui/drag-and-drop'
import { createDragRegistry } from '../../../src/ui/drag-registry'

/** A column of items, 100 px apart, whose first one is dropped in the second one's place. */
async function drop() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(this: Element) {
    const top = ['a', 'b', 'c'].indexOf(this.id) * 100
    return new DOMRect(0, top, 100, 100)
  })
  const registry = createDragRegistry()
  let end: () => void = () => {}
  const onMove = vi.fn(() => new Promise<void>((resolve) => (end = resolve)))
  const list = (keys: readonly string[]) => (
    <>
      {keys.map((key) => (
        <button
          key={key}
          id={key}
          aria-label={key}
          ref={registry.slotRef(key)}
          onKeyDown={(event) => registry.start.keyDown(key, event)}
        />
      ))}
      <Sorting keys={keys} nameOf={(key) => key} registry={registry} onMove={onMove} />
    </>
  )
  const { rerender } = render(list(['a', 'b', 'c']))
  const first = screen.getAllByRole('button')[0]!
  fireEvent.keyDown(first, { code: 'Space' })
  await screen.findByText('a picked up at position 1 of 3.')
  for (let press = 0; press < 4; press += 1) fireEvent.keyDown(document, { code: 'ArrowDown' })
  await screen.findByText('a is over position 2 of 3.')
  fireEvent.keyDown(document, { code: 'Space' })
  await waitFor(() => expect(onMove).toHaveBeenCalledExactlyOnceWith('a', 1))
  const places = () => ['a', 'b', 'c'].map((id) => document.getElementById(id)!.style.transform)
  return { places, end: () => end(), show: (keys: readonly string[]) => rerender(list(keys)) }
}

const DROPPED = ['translate3d(0px, 100px, 0)', 'translate3d(0px, -100px, 0)', 'translate3d(0px, 0px, 0)']

it('items stay where they were dropped until the move is stored or refused', async () => {
  const { places, end } = await drop()
  expect(places()).toEqual(DROPPED)
  end()
  await waitFor(() => expect(places()).toEqual(['', '', '']))
})

it('items that stand in their new order are moved no more, also before the move has ended', async () => {
  const { places, show } = await drop()
  show(['b', 'a', 'c'])
  expect(places()).toEqual(['', '', ''])
})
