import type { RunningApp } from './person'
import { eq } from 'drizzle-orm'
import { sessions } from '../../../server/db/schema/sessions'

/** Makes every session of a user as fresh as if they had just signed in. */
export async function confirmed(server: RunningApp, { id }: { readonly id: string }): Promise<void> {
  await server.database.orm
    .update(sessions)
    .set({ authenticated_at: new Date(server.clock()) })
    .where(eq(sessions.user_id, id))
}
