import type { Checkpoint } from '../../../src/contract/checkpoint'
import type { ErrorBody } from '../../../src/contract/errors'
import { accessTokenKey, signAccessToken } from '../../../server/services/sessions/access-token'
import { newUser, type NewUser } from './new-user'
import { type Answered, key, type Person, person, SAVED_AT, type RunningApp } from './person'

type List = Promise<Answered<readonly Checkpoint[] & ErrorBody>>
type One = Promise<Answered<Checkpoint & ErrorBody>>

/** A user with an account and a session, whose token never expires. */
export interface User extends Person {
  readonly id: string
  checkpoints(widget: string): Promise<readonly Checkpoint[]>
  /** Saves a checkpoint, as the default unless said otherwise. */
  save(widget: string, ratio: number, op?: string, is_default?: boolean): One
  change(widget: string, checkpoint: string, ratio: number, op?: string): One
  drop(widget: string, checkpoint: string, op?: string): List
  dropMany(widget: string, checkpoints: readonly string[], op?: string): List
  arrange(widget: string, ids: readonly string[], op?: string): List
  prefer(widget: string, checkpoint: string, op?: string): List
}

export async function user(server: RunningApp, options: NewUser = {}): Promise<User> {
  const { id } = await newUser(server.database, server.clock(), options)
  return userOf(server, id)
}

/** A user who is there already, perhaps at another app on the same database. */
export function userOf(server: RunningApp, id: string): User {
  let signed: { readonly at: number; readonly token: Promise<string> } | null = null
  /** One for each moment of the test's clock. */
  const token = () => {
    const now = server.clock()
    if (signed?.at !== now) {
      const names = { userId: id, sessionId: id, now, lifetime: 900 }
      signed = { at: now, token: signAccessToken(accessTokenKey(server.env), names) }
    }
    return signed.token
  }
  const me = person(server.app, async () => ({ authorization: `Bearer ${await token()}` }))
  const of = (widget: string) => `/widgets/${widget}/checkpoints`
  return {
    ...me,
    id,
    checkpoints: async (widget) => (await me.list()).find((one) => one.id === widget)?.checkpoints ?? [],
    save: (widget, ratio, op, is_default = true) =>
      me.ask('POST', of(widget), { ratio, timestamp: SAVED_AT, is_default }, key(op)),
    change: (widget, id, ratio, op) => me.ask('PUT', `${of(widget)}/${id}`, { ratio, timestamp: SAVED_AT }, key(op)),
    drop: (widget, id, op) => me.ask('DELETE', `${of(widget)}/${id}`, undefined, key(op)),
    dropMany: (widget, ids, op) => me.ask('DELETE', of(widget), { checkpoint_ids: ids }, key(op)),
    arrange: (widget, ids, op) => me.ask('POST', `${of(widget)}/reorder`, { ordered_ids: ids }, key(op)),
    prefer: (widget, id, op) => me.ask('POST', `${of(widget)}/${id}/set-default`, undefined, key(op)),
  }
}
