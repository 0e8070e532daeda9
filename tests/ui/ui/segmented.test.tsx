import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Segmented } from '../../../src/ui/segmented'

test('a segmented control shows which option is pressed, and reports the option that is clicked', async () => {
  const onChange = vi.fn()
  const options = [
    { value: '1d', label: '24h' },
    { value: '7d', label: '7d' },
  ] as const
  render(<Segmented label="Period" options={options} value="7d" onChange={onChange} />)
  expect(screen.getByRole('group', { name: 'Period' })).toBeTruthy()
  expect(screen.getByRole('button', { name: '7d', pressed: true })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '24h', pressed: false }))
  expect(onChange.mock.calls).toEqual([['1d']])
})
