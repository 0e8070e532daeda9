import { API_BASE } from '../../../src/contract/routes'
import { withOutside, type AccountWorld } from './account-world'
import { clearBoard, seedBoard } from './seed-board'
import { startSeededServer, type Account } from './seeded-server'

/** People whom the shared server knows from the start, and others who are only there to be listed. */
const PEOPLE = { premium: { premium: true }, free: {}, buyer: {}, customer: {}, operator: { superuser: true } } as const
const CROWD = 25

/** The tier limits of the shared server; those of free accounts are the product's own. */
const MAX_CHECKPOINTS = 3
export const FREE_PAIRS = 5

/** One server for all tests of a worker that need no settings of their own: mails, an identity provider, push, accounts. */
export interface SharedWorld extends AccountWorld {
  readonly people: Readonly<Record<keyof typeof PEOPLE, Account>>
}

export function startSharedWorld(variables: Readonly<Record<string, string>>): Promise<SharedWorld> {
  const env = { PREMIUM_MAX_CHECKPOINTS: String(MAX_CHECKPOINTS), ...variables }
  return withOutside((options) => startSeededServer(PEOPLE, { ...options, crowd: CROWD }), { env })
}

/** Has an operator grant Premium to an account for a month, or end it: pairs beyond the free tier become inactive then. */
async function setPremium({ server, people }: SharedWorld, { user }: Account, to: 'grant' | 'revoke') {
  const answer = await fetch(`${server.origin}${API_BASE}/admin/users/${user.id}/${to}-premium`, {
    method: 'POST',
    headers: { authorization: `Bearer ${people.operator.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(to === 'grant' ? { duration_days: 30 } : {}),
  })
  if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${await answer.text()}`)
}

/** Gives a free account so many pairs and no others, more than its tier has active. */
export async function seedBeyondFree(world: SharedWorld, account: Account, count: number): Promise<void> {
  const token = { token: account.accessToken }
  await setPremium(world, account, 'grant')
  await clearBoard(world.server.origin, token)
  await seedBoard(world.server.origin, token, count)
  await setPremium(world, account, 'revoke')
}
