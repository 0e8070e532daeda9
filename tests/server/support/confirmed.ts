import { eq } from 'drizzle-orm'
import { sessions } from '../../../server/db/schema/sessions'
import type { Market } from '../../../server/services/market/market'
import type { TestApp } from './test-app'

/** Makes every session of a user as fresh as if they had just signed in. */
export async function confirmed(server: TestApp<Market>, { id }: { readonly id: string }): Promise<void> {
  await server.database.orm
    .update(sessions)
    .set({ authenticated_at: new Date(server.clock()) })
    .where(eq(sessions.user_id, id))
}
