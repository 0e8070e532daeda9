import { and, inArray, isNotNull, not } from 'drizzle-orm'
import type { Database } from '../../db/open'
import { normalEmailOf, users } from '../../db/schema/users'
import type { Env } from '../../env'
import { normalEmail } from './account'

/** Whether ADMIN_EMAILS makes the owner of an address a superuser, as soon as it is verified. */
export const isAdministrator = ({ ADMIN_EMAILS }: Pick<Env, 'ADMIN_EMAILS'>, email: string): boolean =>
  ADMIN_EMAILS.some((one) => normalEmail(one) === normalEmail(email))

/** Brings accounts that were verified before their address stood in ADMIN_EMAILS into line. It takes rights from nobody. */
export async function appointAdministrators(
  { orm }: Database,
  { ADMIN_EMAILS }: Pick<Env, 'ADMIN_EMAILS'>,
): Promise<void> {
  if (ADMIN_EMAILS.length === 0) return
  await orm
    .update(users)
    .set({ is_superuser: true })
    .where(
      and(
        inArray(normalEmailOf(users.email), ADMIN_EMAILS.map(normalEmail)),
        isNotNull(users.email_verified_at),
        not(users.is_superuser),
      ),
    )
}
