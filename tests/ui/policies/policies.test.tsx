import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Policies } from '../../../src/contract/settings'
import { writeMeta } from '../../../src/db/database'
import { PolicyAcceptance } from '../../../src/features/policies/policy-acceptance'
import { PolicyViewer } from '../../../src/features/policies/policy-viewer'
import { openDialog } from '../support/open-dialog'
import { type LocalApp, startLocalApp, noticesOf, refused } from '../support/local-app'

const POLICIES: Policies = {
  terms: { version: '2026-11-21', path: '/api/v1/policies/terms/2026-11-21' },
  privacy: { version: '2026-10-01', path: '/api/v1/policies/privacy/2026-10-01' },
}
const FAILED = refused(503)

describe('policy acceptance', () => {
  let deletions = 0
  async function gate({ policies = POLICIES, again = false }: { policies?: Policies | null; again?: boolean } = {}) {
    const app = await startLocalApp()
    deletions = 0
    if (policies === null) app.answerCalls(() => FAILED)
    app.render(
      <PolicyAcceptance email="ada@example.com" policies={policies} again={again} onDelete={() => (deletions += 1)} />,
    )
    await act(async () => undefined)
    return app
  }
  const terms = () => screen.getByRole('checkbox', { name: /^I accept the Terms of Use/ })
  const privacy = () => screen.getByRole('checkbox', { name: /^I accept the Privacy Policy/ })
  const accept = () => screen.getByRole('button', { name: 'Accept and Continue' })
  const asked = (app: LocalApp) => app.calls.map(({ route }) => route)

  it('a user must tick both policies to accept them, and the request names the version of each', async () => {
    const app = await gate()
    expect(terms().closest('label')!.textContent).toContain('Version 2026-11-21')
    expect(privacy().closest('label')!.textContent).toContain('Version 2026-10-01')
    expect(accept()).toHaveProperty('disabled', true)
    await userEvent.click(terms())
    expect(accept()).toHaveProperty('disabled', true)
    await userEvent.click(privacy())
    await userEvent.click(terms())
    expect(accept()).toHaveProperty('disabled', true)
    await userEvent.click(terms())
    await userEvent.click(accept())
    expect(app.calls).toEqual([
      { route: 'currentPolicies' },
      { route: 'acceptPolicies', terms: '2026-11-21', privacy: '2026-10-01' },
    ])
    await waitFor(() => expect(accept().hasAttribute('aria-disabled')).toBe(false))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('the policy acceptance screen says when the acceptance could not be saved, and the user can try again', async () => {
    const app = await gate()
    app.answerCalls(() => refused(500, 'INTERNAL_ERROR', 'Something broke.'))
    await userEvent.click(terms())
    await userEvent.click(privacy())
    await userEvent.click(accept())
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to save your acceptance. Please try again.')
    await userEvent.click(accept())
    expect(asked(app)).toEqual(['currentPolicies', 'acceptPolicies', 'acceptPolicies'])
  })

  it('both ticks are cleared when another policy version comes into force, and a refusal for changed policies shows a toast', async () => {
    const app = await startLocalApp()
    const gateOf = (policies: Policies) => (
      <PolicyAcceptance email="ada@example.com" policies={policies} again={false} onDelete={() => undefined} />
    )
    const { rerender } = app.render(gateOf(POLICIES))
    app.answerCalls(() => refused(409, null, 'The policies have just changed. Please read them again.'))
    await userEvent.click(terms())
    await userEvent.click(privacy())
    await userEvent.click(accept())
    await waitFor(() =>
      expect(noticesOf(app).map(({ message }) => message)).toEqual([
        'The policies have just changed. Please read them again.',
      ]),
    )
    rerender(gateOf({ ...POLICIES, terms: { ...POLICIES.terms, version: '2027-01-01' } }))
    expect(terms().closest('label')!.textContent).toContain('Version 2027-01-01')
    expect([terms(), privacy()].map((box) => (box as HTMLInputElement).checked)).toEqual([false, false])
  })

  it('the policy acceptance screen says when the policies could not be loaded, and Try again loads them again', async () => {
    const app = await gate({ policies: null })
    expect((await screen.findByRole('alert')).textContent).toBe('Could not retrieve policy data.')
    expect(screen.queryByRole('checkbox')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(asked(app)).toEqual(['currentPolicies', 'currentPolicies'])
  })

  it('the policy acceptance screen lets the user read both policies, log out, and delete the account', async () => {
    const app = await gate()
    await userEvent.click(screen.getByRole('button', { name: 'Read the Privacy Policy' }))
    expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'privacy' })
    await userEvent.click(screen.getByRole('button', { name: 'Read the Terms of Use' }))
    expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'terms' })
    expect(screen.getByText('ada@example.com')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Log out' }))
    expect(openDialog(app.store, 'log-out')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Delete account' }))
    expect(deletions).toBe(1)
  })

  it('the policy acceptance screen has one heading for a first acceptance and another for a new version', async () => {
    await gate()
    expect(screen.getByRole('heading', { level: 1, name: 'Before you start' })).toBeDefined()
    await gate({ again: true })
    expect(screen.getByRole('heading', { level: 1, name: 'Our policies have changed' })).toBeDefined()
  })
})

const TEXT = 'Terms of Use\n\nVersion 1\n\n1. What it does\n\nIt shows ratios.\n\nWe store:\n- a hash;\n- your pairs.'
const store = (app: LocalApp, text: string) => writeMeta(app.db, 'policy_texts', { terms: { version: '1', text } })

async function read(prepare: (app: LocalApp) => unknown = () => undefined) {
  const app = await startLocalApp()
  await prepare(app)
  let closed = 0
  app.render(<PolicyViewer policy="terms" onClose={() => (closed += 1)} />)
  return { app, dialog: within(screen.getByRole('dialog', { name: 'Terms of Use' })), closed: () => closed }
}

it('the policy dialog shows the stored text, also when the server fails', async () => {
  const { app, dialog, closed } = await read(async (one) => {
    await store(one, TEXT)
    one.answerCalls(() => FAILED)
  })
  expect(await dialog.findByRole('heading', { level: 3, name: '1. What it does' })).toBeDefined()
  expect(dialog.getByText('It shows ratios.')).toBeDefined()
  expect(dialog.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['a hash;', 'your pairs.'])
  expect(dialog.getAllByText('Terms of Use')).toHaveLength(1)
  expect(app.calls).toEqual([{ route: 'currentPolicies' }])
  expect(document.activeElement).toBe(dialog.getByRole('region', { name: 'Terms of Use' }))
  expect(dialog.queryByRole('alert')).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
  expect(closed()).toBe(1)
})

it('the policy dialog waits for a text that is being loaded, and shows the text when it is there', async () => {
  let answer: () => void = () => undefined
  const { app, dialog } = await read((one) =>
    one.answerCalls(
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ ok: true, value: null })
        }),
    ),
  )
  expect(dialog.getByRole('status', { name: 'Loading' })).toBeDefined()
  await act(async () => {
    await store(app, TEXT)
    answer()
  })
  expect(await dialog.findByText('It shows ratios.')).toBeDefined()
})

it('the policy dialog says when there is no text to show, and Try again loads the text', async () => {
  const { app, dialog } = await read((one) => one.answerCalls(() => FAILED))
  expect((await dialog.findByRole('alert')).textContent).toBe('Could not load policy content. Please try again later.')
  app.answerCalls(async () => {
    await store(app, TEXT)
    return { ok: true, value: null }
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await dialog.findByText('It shows ratios.')).toBeDefined()
})
