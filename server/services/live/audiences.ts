import { createHash } from 'node:crypto'
import type { Caller } from '../caller'
import type { Audience } from './live-stream'
import type { AskedOwners, OwnerState } from './owner-states'

export type Audiences = ReturnType<typeof createAudiences>

const keyOf = (caller: Caller): string => (caller.kind === 'guest' ? caller.anonymousHash : caller.userId)

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
    ofOwner: (owner: string): Audience | undefined => byOwner.get(owner),
    unowned: (): readonly Audience[] => [...unowned],
    hasUnowned: (): boolean => unowned.size > 0,

    /** The caller's audience, kept until `leave`. */
    enter: (caller: Caller): Audience => {
      const key = keyOf(caller)
      let audience = byKey.get(key)
      if (audience === undefined) {
        audience = {
          key,
          name: createHash('sha256').update(`stream ${key}`).digest('base64url').slice(0, 8),
          guest: caller.kind === 'guest' ? key : null,
          owner: null,
          widgets: 0,
          account: 0,
          streams: new Set(),
          opening: 0,
        }
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

    /** Everybody who has a stream, as the database is asked for them. */
    asked: (audiences: Iterable<Audience> = byKey.values()): AskedOwners => {
      const guests: string[] = []
      const sessions = new Map<string, { userId: string; sessionId: string }>()
      for (const { key, guest, streams } of audiences) {
        if (guest !== null) guests.push(guest)
        else {
          for (const { sessionId } of streams)
            if (sessionId !== null) sessions.set(sessionId, { userId: key, sessionId })
        }
      }
      return { guests, sessions: [...sessions.values()] }
    },
  }
}
