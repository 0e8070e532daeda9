import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Field, TextInput } from '../../../src/ui/field'
import { CurrentPasswordField } from '../../../src/ui/password-input'
import { type Problems, SubmitButton, useForm } from '../../../src/ui/form'

type Name = 'name' | 'secret'

/** A form whose answers are given by hand. */
function openForm() {
  const sent: Readonly<Record<Name, string>>[] = []
  let answer: (problems: Problems<Name> | null) => void = () => undefined
  function Sample() {
    const { busy, problems, events } = useForm(['name', 'secret'], {
      check: ({ name, secret }) => ({
        name: name === '' ? 'No name.' : undefined,
        secret: secret === '' ? 'No secret.' : undefined,
      }),
      send: (values) => {
        sent.push(values)
        return new Promise((resolve) => {
          answer = resolve
        })
      },
    })
    return (
      <form {...events}>
        {problems.form !== undefined && <p role="alert">{problems.form}</p>}
        <Field label="Name" error={problems.name}>
          {(control) => <TextInput {...control} name="name" />}
        </Field>
        <CurrentPasswordField label="Secret" account={null} error={problems.secret} name="secret" />
        <SubmitButton busy={busy}>Send</SubmitButton>
      </form>
    )
  }
  render(<Sample />)
  const button = screen.getByRole('button', { name: 'Send' })
  return {
    sent,
    button,
    name: screen.getByLabelText('Name'),
    secret: screen.getByLabelText('Secret'),
    reply: (problems: Problems<Name> | null) => act(async () => answer(problems)),
  }
}

it('a form with invalid fields says what is wrong at each, focuses the first, and sends nothing', async () => {
  const form = openForm()
  await userEvent.click(form.button)
  expect(screen.getAllByRole('alert').map((note) => note.textContent)).toEqual(['No name.', 'No secret.'])
  expect(document.activeElement).toBe(form.name)
  expect(form.name.getAttribute('aria-invalid')).toBe('true')
  expect(form.sent).toEqual([])
})

it('a form takes back the error of a field as soon as the field is edited, and no other error', async () => {
  const form = openForm()
  await userEvent.click(form.button)
  await userEvent.type(form.name, 'A')
  expect(screen.getAllByRole('alert').map((note) => note.textContent)).toEqual(['No secret.'])
})

it('a form is sent by Enter, and only once however often the user submits', async () => {
  const form = openForm()
  await userEvent.type(form.name, 'Ada')
  await userEvent.type(form.secret, 'engine{Enter}')
  await waitFor(() => expect(form.button.getAttribute('aria-disabled')).toBe('true'))
  await userEvent.click(form.button)
  await userEvent.type(form.secret, '{Enter}')
  expect(form.sent).toEqual([{ name: 'Ada', secret: 'engine' }])
  expect(document.activeElement).toBe(form.secret)
  await form.reply(null)
  expect(form.button.hasAttribute('aria-disabled')).toBe(false)
})

it('a refused form keeps what was typed, and can be sent again', async () => {
  const form = openForm()
  await userEvent.type(form.name, 'Ada')
  await userEvent.type(form.secret, 'engine')
  await userEvent.click(form.button)
  await form.reply({ form: 'Not now.' })
  expect(screen.getByRole('alert').textContent).toBe('Not now.')
  await userEvent.click(form.button)
  expect(form.sent).toHaveLength(2)
  expect(screen.queryByRole('alert')).toBeNull()
  await form.reply({ secret: 'Wrong.' })
  expect(document.activeElement).toBe(form.secret)
})

it('a password field hides its text, shows it on demand, and sends nothing by that', async () => {
  const form = openForm()
  expect(form.secret.getAttribute('type')).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(form.secret.getAttribute('type')).toBe('text')
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(form.secret.getAttribute('type')).toBe('password')
  expect(form.sent).toEqual([])
})
