import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { REDIRECT_AFTER, VerifyEmail } from '../../../src/features/auth/verify-email'
import { startLocalApp } from '../support/local-app'
import { fill, refused, UNANSWERED, UNREACHED, headingInFocus } from './open-auth'

afterEach(() => void vi.useRealTimers())

async function follow(token: string | null, answer = refused(400, 'INVALID_LINK', 'Unknown.')) {
  const app = await startLocalApp()
  app.answerAccount(({ kind }) => (kind === 'verify-email' ? answer : { ok: true, message: null }))
  const onDone = vi.fn()
  const { unmount: leave } = app.render(<VerifyEmail token={token} onDone={onDone} />)
  return { app, onDone, leave }
}

describe('verification link', () => {
  it('the verification page shows progress, then success, and leads on after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { app, onDone } = await follow('from-the-mail', { ok: true, message: null })
    expect(screen.getByRole('status').textContent).toBe('Verifying your email…')
    await headingInFocus('Your email is verified')
    expect(app.asked).toEqual([{ kind: 'verify-email', token: 'from-the-mail' }])
    expect(screen.getByRole('link', { name: 'Proceed to Login' }).getAttribute('href')).toBe('/login')

    expect(REDIRECT_AFTER).toBe(5000)
    await vi.advanceTimersByTimeAsync(4000)
    expect(onDone).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    expect(onDone).toHaveBeenCalledOnce()
  })

  it('the verification page does not lead on once the user has left it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const { onDone, leave } = await follow('from-the-mail', { ok: true, message: null })
    await screen.findByRole('heading', { name: 'Your email is verified' })
    leave()
    await vi.advanceTimersByTimeAsync(REDIRECT_AFTER)
    expect(onDone).not.toHaveBeenCalled()
  })

  it.each([
    ['without a token', null, 'Verification token not found in the link.'],
    ['that was used, or is too old', 'old', 'This verification link is invalid or has expired.'],
  ])('a verification link %s offers another link and the way to the login', async (_what, token, text) => {
    const { app } = await follow(token)
    expect(await screen.findByRole('heading', { name: text })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe('/login')

    await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
    expect(screen.getByRole('alert').textContent).toBe('Email is required to resend the verification link.')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    expect(app.asked.map(({ kind }) => kind)).toEqual(token === null ? [] : ['verify-email'])

    await fill('Email', 'ada@example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
    expect(app.asked.at(-1)).toEqual({ kind: 'resend-verification', email: 'ada@example.com' })
    expect((await screen.findByRole('status')).textContent).toBe(
      'If this address waits to be verified, a new link is on its way.',
    )
  })

  it('a verification that the server does not answer can be tried again', async () => {
    const { app } = await follow('from-the-mail', UNANSWERED)
    await screen.findByRole('heading', { name: 'Your email could not be verified yet' })
    expect(screen.getByText(UNREACHED)).toBeDefined()
    app.answerAccount(() => ({ ok: true, message: null }))
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Your email is verified' })
    expect(app.asked).toHaveLength(2)
  })
})

describe('resending the verification link', () => {
  it.each([
    ['an address that the server does not take', refused(422, 'VALIDATION_ERROR', 'x'), 'Enter a valid email address.'],
    ['too many mails', refused(429, null, 'Try again in an hour.'), 'Try again in an hour.'],
    ['no answer', UNANSWERED, UNREACHED],
  ])('resending the verification link shows an error for %s', async (_what, result, text) => {
    const { app } = await follow(null)
    app.answerAccount(() => result)
    await fill('Email', 'ada@example.com')
    await userEvent.click(screen.getByRole('button', { name: 'Resend verification email' }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text))
  })
})
