import type { LocalDatabase } from '../database'
import { readMeta, writeMeta } from '../queries/meta'
import type { SignIn } from '../rows'

/** Takes out the sign-in that `state` names: each can be ended once, by one tab. Undefined: none was begun here. */
export async function takeSignIn(db: LocalDatabase, state: string): Promise<SignIn | undefined> {
  return db.transaction('rw', db.meta, async () => {
    const begun = new Map(Object.entries((await readMeta(db, 'sign_ins')) ?? {}))
    const signIn = begun.get(state)
    if (begun.delete(state)) await writeMeta(db, 'sign_ins', Object.fromEntries(begun))
    return signIn
  })
}
