import type { Page } from 'playwright/test'
import { readTable } from './truth'

/** Whom the server has been told this browser is, and how it is reached; null: nothing yet. */
export async function told(page: Page): Promise<{ readonly owner: string; readonly endpoint: string } | null> {
  const records = (await readTable(page, 'meta')) as readonly { readonly key: string; readonly value: unknown }[]
  const book = records.find(({ key }) => key === 'push')?.value as
    | { readonly told: { readonly owner: string; readonly subscription: { readonly endpoint: string } } | null }
    | undefined
  const known = book?.told ?? null
  return known === null ? null : { owner: known.owner, endpoint: known.subscription.endpoint }
}
