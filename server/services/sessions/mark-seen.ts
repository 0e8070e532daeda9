import { and, eq, isNull } from 'drizzle-orm'
import type { AppParts } from '../../app-parts'
import { refresh_tokens } from '../../db/schema/sessions'

/** Refresh tokens that this process remembers to have marked; forgotten ones are marked again, which changes nothing. */
const MOST_REMEMBERED = 10_000

/**
 * Notes, once for each refresh token, that a client has presented the access token that came with it: the answer has
 * arrived, so that the token before it need not be taken any more.
 */
export function seenMarker({ database: { orm }, clock }: Pick<AppParts, 'database' | 'clock'>) {
  const marked = new Set<string>()
  return async (refreshHash: string): Promise<void> => {
    if (marked.has(refreshHash)) return
    const its = and(eq(refresh_tokens.token_hash, refreshHash), isNull(refresh_tokens.seen_at))
    await orm
      .update(refresh_tokens)
      .set({ seen_at: new Date(clock()) })
      .where(its)
    if (marked.size >= MOST_REMEMBERED) marked.clear()
    marked.add(refreshHash)
  }
}
