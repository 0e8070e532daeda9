import { anonymousId, type OwnerId } from '../../domain/ids'
import type { CommandContext } from '../command'

/**
 * The identity of this browser; a guest's is made where there is none. Several tabs may ask at once: one of them makes it.
 * @param randomBytes at least 24 bytes from a cryptographic source
 */
export async function ensureIdentity({ db, now }: CommandContext, randomBytes: Uint8Array): Promise<OwnerId> {
  return db.transaction('rw', db.session, async () => {
    const session = await db.session.get('current')
    if (session !== undefined) return session.owner
    const owner = anonymousId(now(), randomBytes)
    await db.session.add({ key: 'current', owner, tokens: null, user: null, anonymous_id: owner })
    return owner
  })
}
