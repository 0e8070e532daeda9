import type { Widget } from '../contract/widget'
import { acceptPull } from '../db/answers/accept-pull'
import { readBook } from '../db/answers/owner-book'
import { readEntries } from '../db/snapshot'
import { isSpaced } from './backoff'
import type { EngineEnv } from './env'
import type { SyncReason } from './reason'
import { report } from './report'
import { sendAs } from './send-as'

/** Milliseconds between two pulls that nothing asked for. */
export const PULL_SPACING = 60_000

/** Fetches what the server knows, where it is time to, and lets it replace the rows. Waiting entries stay on top. */
export async function pull(env: EngineEnv, reason: SyncReason): Promise<void> {
  const { db, now } = env
  const begun = await db.transaction('r', db.session, db.owners, db.outbox, async () => {
    const session = await db.session.get('current')
    if (session === undefined) return undefined
    const { owner } = session
    const book = await readBook(db, owner)
    const asked = book.pull_wanted || reason === 'online' || isSpaced(book.pulled_at, PULL_SPACING, now())
    const underWay = (await readEntries(db, owner)).some((entry) => entry.state === 'leased')
    return asked && !book.paused && !underWay ? { owner, revision: book.applied_rev } : undefined
  })
  if (begun === undefined) return

  const answer = await sendAs(env, begun.owner, { route: 'listWidgets' })
  switch (answer.kind) {
    case 'ok':
      await acceptPull(db, begun.owner, begun.revision, answer.value as Widget[], now())
      return report(env, 'widgets', { kind: 'ok' })
    case 'refused':
    case 'unavailable':
      return report(env, 'widgets', { kind: 'failed', status: answer.status, sentence: 'Could not load your pairs.' })
    case 'unchanged':
    case 'not-mine':
      return
  }
}
