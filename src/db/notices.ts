import { readOfOwner } from './identity'
import type { LocalDatabase } from './database'
import type { NoticeRow } from './rows'
import type { OutboxEntry } from './outbox-entry'
import { readEntries } from './board-rows'
/** The present owner's notices, oldest first. */
export async function readNotices(db: LocalDatabase): Promise<readonly (NoticeRow & { readonly id: number })[]> {
  const notices = readOfOwner(db, [db.notices], ({ owner }) => db.notices.where('owner').equals(owner).sortBy('id'))
  return ((await notices) ?? []) as (NoticeRow & { readonly id: number })[]
}

export const dismissNotice = (db: LocalDatabase, id: number): Promise<void> => db.notices.delete(id)

/**
 * Leaves a message for the owner of an entry.
 * @param now milliseconds
 */
export async function leaveNotice(
  db: LocalDatabase,
  { owner }: OutboxEntry,
  kind: NoticeRow['kind'],
  message: string | undefined,
  now: number,
): Promise<void> {
  if (message !== undefined) await db.notices.add({ owner, kind, message, at: now })
}

/**
 * Leaves the success message of an entry that has left the outbox, once the server has done all of its group. Until then
 * the group's entries with another message keep it.
 */
export async function leaveSuccess(db: LocalDatabase, entry: OutboxEntry, now: number): Promise<void> {
  const { group, owner, success } = entry
  if (success === undefined) return
  const rest = group === null ? [] : (await readEntries(db, owner)).filter((one) => one.group === group)
  if (rest.length === 0) return leaveNotice(db, entry, 'success', success, now)
  const others = rest.filter((one) => one.success !== success)
  await db.outbox.bulkPut(others.map((one): OutboxEntry => ({ ...one, done_before: success })))
}
