import { randomBytes } from 'node:crypto'
import { and, count, eq } from 'drizzle-orm'
import { formatRecoveryCode, readRecoveryCode, RECOVERY_CODES } from '../../../src/domain/account'
import type { Queryable } from '../../db/open'
import { recovery_codes } from '../../db/schema/sessions'
import { hashOfSecret } from '../secrets'

/** Crockford's Base32: no letter is taken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Five random bits each: 100 bits cannot be searched, so that a plain hash does. */
const CODE_LENGTH = 20

const newCode = (): string =>
  Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')

/** With the owner's id, so that one guess tries one account. */
const hashOf = (userId: string, code: string): string => hashOfSecret(`${userId} ${code}`)

/** Replaces a user's recovery codes. The codes themselves are returned here and kept nowhere. */
export async function replaceRecoveryCodes(tx: Queryable, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await removeRecoveryCodes(tx, user_id)
  await tx.insert(recovery_codes).values(codes.map((code) => ({ user_id, code_hash: hashOf(user_id, code) })))
  return codes.map(formatRecoveryCode)
}

export async function removeRecoveryCodes(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(recovery_codes).where(eq(recovery_codes.user_id, userId))
}

export async function countRecoveryCodes(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recovery_codes).where(eq(recovery_codes.user_id, userId))
  return row?.left ?? 0
}

/** Uses a code up. @returns whether the user had it */
export async function takeRecoveryCode(tx: Queryable, userId: string, typed: string): Promise<boolean> {
  const code = readRecoveryCode(typed)
  if (code === null) return false
  const taken = await tx
    .delete(recovery_codes)
    .where(and(eq(recovery_codes.user_id, userId), eq(recovery_codes.code_hash, hashOf(userId, code))))
    .returning()
  return taken.length > 0
}
