import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { Screens } from '../../../src/app/screens'
import type { AdminProfile, AuditEntry } from '../../../src/contract/admin'
import type { Subscription } from '../../../src/contract/billing'
import type { CallFailure, CallInput, CallResult, CallRoute, CallValue } from '../../../src/db/call'
import { ADMIN_PAGE_SIZE } from '../../../src/domain/account'
import { accountAtom } from '../../../src/state/account'
import { localNoticesAtom } from '../../../src/state/toasts'
import { type LocalApp, seedCoins, signIn, START, startLocalApp, refused } from '../support/local-app'
import { SLOW } from '../support/slow'
import { NOTHING_ACCEPTED } from '../../support/new-account'

export const DAY = 24 * 60 * 60_000
export const at = (days: number): string => new Date(START + days * DAY).toISOString()

export const profile = (email: string, values: Partial<AdminProfile> = {}): AdminProfile => ({
  id: crypto.randomUUID(),
  email,
  has_premium_access: false,
  is_superuser: false,
  is_active: true,
  has_password: true,
  created_at: at(-40),
  ...NOTHING_ACCEPTED,
  email_verified: true,
  last_login_at: null,
  widgets: 0,
  active_widgets: 0,
  checkpoints: 0,
  push_subscriptions: 0,
  ...values,
})

export const paid = (values: Partial<Subscription> = {}): Subscription => ({
  id: crypto.randomUUID(),
  stripe_subscription_id: 'sub_paid',
  status: 'active',
  current_period_start: at(-10),
  current_period_end: at(20),
  cancel_at_period_end: false,
  created_at: at(-10),
  ...values,
})

export const granted = (values: Partial<Subscription> = {}): Subscription =>
  paid({ stripe_subscription_id: `manual_${crypto.randomUUID()}`, ...values })

export const entry = (values: Partial<AuditEntry> = {}): AuditEntry => ({
  id: crypto.randomUUID(),
  at: at(0),
  actor_email: 'ops@example.com',
  action: 'grant-premium',
  target_id: crypto.randomUUID(),
  target_email: 'grace@example.com',
  details: '30 days, until 2026-12-21',
  ...values,
})

/** Rows that a server would have. */
export interface Office {
  readonly users: AdminProfile[]
  readonly subscriptions: Subscription[]
  readonly log: AuditEntry[]
}

const page = <T,>(rows: readonly T[], skip: number) => ({
  ok: true as const,
  value: { rows: rows.slice(skip, skip + ADMIN_PAGE_SIZE), total: rows.length },
})

const NOT_FOUND: CallFailure = { ok: false, status: 404, error_code: 'NOT_FOUND', message: 'There is no such account.' }

/** A page that a superuser has opened at an address; questions are answered by what `office` holds at the time. */
export async function openAdmin(address: string, known: Partial<Office> = {}): Promise<LocalApp & { office: Office }> {
  history.replaceState(null, '', address)
  const office: Office = { users: [], subscriptions: [], log: [], ...known }
  const app = await startLocalApp()
  await seedCoins(app, 2)
  await signIn(app, { superuser: true })
  // A guest would be sent to the dashboard.
  await waitFor(() => expect(app.store.get(accountAtom)?.user?.is_superuser).toBe(true))
  app.answerCall('adminUsers', ({ search = '', skip = 0 }) =>
    page(
      office.users.filter(({ id, email }) => email.includes(search) || id === search),
      skip,
    ),
  )
  app.answerCall('adminUser', ({ id: wanted }) => {
    const value = office.users.find(({ id }) => id === wanted)
    return value === undefined ? NOT_FOUND : { ok: true, value: { ...value } }
  })
  app.answerCall('adminSubscriptions', () => ({ ok: true, value: [...office.subscriptions] }))
  app.answerCall('auditLog', ({ target, skip = 0 }) =>
    page(
      office.log.filter(({ target_id }) => target === undefined || target_id === target),
      skip,
    ),
  )
  app.render(<Screens />)
  return Object.assign(app, { office })
}

export const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, SLOW)
export const isAt = (address: string) => expect(location.pathname + location.search).toBe(address)
export const toasts = (app: LocalApp) => app.store.get(localNoticesAtom).map(({ kind, message }) => [kind, message])

/** The page's calls of one route, in order. */
export const asked = (app: LocalApp, route: CallRoute) => app.calls.filter((call) => call.route === route)

export const UNANSWERED = refused(0, null, 'Network error or unable to connect.')

/** Holds answers back: each call of the returned function answers the oldest waiting call. */
export function later<R extends CallRoute>(
  app: LocalApp,
  route: R,
  answer: (input: CallInput<R>) => CallResult<CallValue<R>>,
): readonly (() => void)[] {
  const waiting: (() => void)[] = []
  app.answerCall(route, (input) => new Promise((resolve) => waiting.push(() => resolve(answer(input)))))
  return waiting
}
