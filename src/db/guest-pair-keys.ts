import type { OpId, OwnerId } from '../domain/ids'
import { readWidgets } from './widget-rows'
import type { OptimisticWidget } from './board'
import type { LocalDatabase } from './database'
import { overlay, type Snapshot } from './snapshot'
import { readEntries, readKnownIds } from './read-snapshot'
import { decisionsOf } from './widget-settings'

/** Names a guest's pair for good: the key of its create stays when the server gives the pair its id. */
export const guestPairId = ({ created_by_op, id }: Pick<OptimisticWidget, 'created_by_op' | 'id'>): string =>
  created_by_op ?? id

/**
 * The Idempotency-Key under which a user gets a thing of a guest: always the same for the same two, so that the server
 * makes the thing once, however often it is asked. The exclusive or of two UUIDs, as a UUID of version 8 (RFC 9562).
 * @param made UUID of the guest's pair or checkpoint
 */
export function keyFor(made: string, user: OwnerId): OpId {
  const [a, b] = [made, user].map((one) => Array.from(one.replaceAll('-', ''), (digit) => Number.parseInt(digit, 16)))
  const digits = a!.map((digit, place) => (digit ^ b![place]!).toString(16)).join('')
  const part = (from: number, to: number) => digits.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}` as OpId
}

/**
 * The key that comes after `key`, whose thing the user has removed: the server keeps that key and makes nothing for it
 * any more. The last four digits count on.
 */
export const keyAfter = (key: OpId): OpId => {
  const next = (Number.parseInt(key.slice(-4), 16) + 1) % 0x1_00_00
  return `${key.slice(0, -4)}${next.toString(16).padStart(4, '0')}` as OpId
}

/** Whether something was made with `key`, or with one that comes after it. */
export const isMadeWith = ({ created_by_op }: { readonly created_by_op: OpId | null }, key: OpId): boolean =>
  created_by_op?.slice(0, -4) === key.slice(0, -4)

/** Fingerprint of the user's decisions about a pair; the server's own changes, such as an alert that fired, are not in it. */
export const printOf = (pair: OptimisticWidget): string =>
  JSON.stringify([...decisionsOf(pair), pair.checkpoints.map(({ ratio, timestamp }) => [ratio, Date.parse(timestamp)])])

export type OwnersBoard = Pick<Snapshot, 'owner' | 'rows' | 'entries' | 'ids' | 'shown'>

/** The board of this browser's guest while a user uses it: as the guest has left it, unsent changes included. */
export async function readGuestBoard(db: LocalDatabase, guest: OwnerId): Promise<OwnersBoard> {
  const [widgetsOf, entries, ids] = await Promise.all([readWidgets(db), readEntries(db, guest), readKnownIds(db)])
  const rows = widgetsOf(guest)
  return { owner: guest, rows, entries, ids, shown: overlay(rows, entries, ids, Infinity) }
}
