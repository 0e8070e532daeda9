import type { Page } from 'playwright/test'
import { readTable } from './truth'

/** The owner and endpoint that the server has accepted for this browser; null: none yet. */
export async function registeredPush(
  page: Page,
): Promise<{ readonly owner: string; readonly endpoint: string } | null> {
  const records = (await readTable(page, 'meta')) as readonly { readonly key: string; readonly value: unknown }[]
  const state = records.find(({ key }) => key === 'push')?.value as
    | { readonly registered: { readonly owner: string; readonly subscription: { readonly endpoint: string } } | null }
    | undefined
  const known = state?.registered ?? null
  return known === null ? null : { owner: known.owner, endpoint: known.subscription.endpoint }
}
