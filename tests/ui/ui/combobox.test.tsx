import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Combobox } from '../../../src/ui/combobox'

const FRUITS = ['Apple', 'Apricot', 'Banana']

function Fruit() {
  const [fruit, setFruit] = useState<string | null>(null)
  return (
    <dialog open aria-label="Basket">
      <Combobox
        label="Fruit"
        items={FRUITS}
        value={fruit}
        onChange={setFruit}
        itemKey={(item) => item}
        itemLabel={(item) => item}
        matches={(item, term) => item.toLowerCase().includes(term.toLowerCase())}
        renderItem={(item) => item}
        emptyText={(term) => `No matches found for "${term}"`}
      />
      <output>{fruit}</output>
    </dialog>
  )
}
const names = () => screen.getAllByRole('option').map((option) => option.textContent)

test('the combobox filters by the typed text, chooses by keyboard, and keeps its list inside the dialog', async () => {
  render(<Fruit />)
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Fruit' })
  await userEvent.type(field, 'AP')
  expect(names()).toEqual(['Apple', 'Apricot'])
  expect(within(screen.getByRole('dialog')).getByRole('listbox')).toBeTruthy()

  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(screen.getByRole('status').textContent).toBe('Apricot')
  expect(field.value).toBe('Apricot')
})

test.each([
  ['after typing', 'AP', '{ArrowDown}{Enter}', 'Apple'],
  ['after typing, without an arrow key', 'AP', '{Enter}', 'Apple'],
  ['in a list that the arrow key itself has opened', '', '{ArrowDown}{Enter}', 'Apple'],
  ['when pressed twice after typing', 'AP', '{ArrowDown}{ArrowDown}{Enter}', 'Apricot'],
])('the first Arrow Down in the combobox does not skip the first item (%s)', async (_when, term, keys, chosen) => {
  render(<Fruit />)
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Fruit' })
  field.focus()
  if (term !== '') await userEvent.keyboard(term)
  await userEvent.keyboard(keys)
  expect(screen.getByRole('status').textContent).toBe(chosen)
})

test('the combobox says that nothing matches the typed text', async () => {
  render(<Fruit />)
  await userEvent.type(screen.getByRole('combobox'), 'zzz')
  expect(screen.queryByRole('option')).toBeNull()
  expect(screen.getByText('No matches found for "zzz"')).toBeTruthy()
})
