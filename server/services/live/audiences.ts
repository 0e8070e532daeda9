import { createHash } from 'node:crypto'
import type { Caller } from '../owners'
import type { Audience } from './live-stream'

export type Audiences = ReturnType<typeof createAudiences>

/** A caller, as the database knows one. */
export interface OwnerState {
  readonly owner: string
  /** As in owner_revisions; 0 where nothing was ever changed. */
  readonly widgets: number
  readonly account: number
}

/** Names a caller among all. */
export const keyOf = (caller: Caller): string => (caller.kind === 'guest' ? caller.anonymousHash : caller.userId)

const newAudience = (key: string, kind: Caller['kind']): Audience => ({
  key,
  name: createHash('sha256').update(`stream ${key}`).digest('base64url').slice(0, 8),
  guest: kind === 'guest' ? key : null,
  owner: null,
  widgets: 0,
  account: 0,
  streams: new Set(),
  opening: 0,
})

/** The callers with open streams, by themselves and by their ids as owners. */
export function createAudiences() {
  const byKey = new Map<string, Audience>()
  const byOwner = new Map<string, Audience>()
  /** Guests whose first change makes them an owner, whom nothing names before. */
  const unowned = new Set<Audience>()

  function index(audience: Audience, owner: string | null): void {
    if (audience.owner !== null) byOwner.delete(audience.owner)
    audience.owner = owner
    if (owner === null) unowned.add(audience)
    else {
      unowned.delete(audience)
      byOwner.set(owner, audience)
    }
  }

  return {
    all: (): Iterable<Audience> => byKey.values(),
    ofOwner: (owner: string, guest = ''): Audience | undefined => byOwner.get(owner) ?? byKey.get(guest),
    unowned: (): readonly Audience[] => [...unowned],
    hasUnowned: (): boolean => unowned.size > 0,

    /** The caller's audience, kept until `leave`. */
    enter: (caller: Caller): Audience => {
      const key = keyOf(caller)
      let audience = byKey.get(key)
      if (audience === undefined) {
        audience = newAudience(key, caller.kind)
        byKey.set(key, audience)
        index(audience, caller.kind === 'guest' ? null : key)
      }
      audience.opening += 1
      return audience
    },

    /** Takes note of what the database says. Revisions that were read before a later change was heard of are not. */
    learn: (audience: Audience, state: OwnerState | undefined): { widgets: boolean; account: boolean } => {
      const owner = state?.owner ?? (audience.guest === null ? audience.owner : null)
      const isAnother = owner !== audience.owner
      if (isAnother) index(audience, owner)
      const { widgets = 0, account = 0 } = state ?? {}
      const changed = {
        widgets: isAnother ? widgets !== audience.widgets : widgets > audience.widgets,
        account: isAnother ? account !== audience.account : account > audience.account,
      }
      if (changed.widgets) audience.widgets = widgets
      if (changed.account) audience.account = account
      return changed
    },

    /** Forgets an audience without streams. */
    leave: (audience: Audience): void => {
      if (audience.streams.size + audience.opening > 0 || byKey.get(audience.key) !== audience) return
      byKey.delete(audience.key)
      unowned.delete(audience)
      if (audience.owner !== null) byOwner.delete(audience.owner)
    },
  }
}
