import { ShieldCheck } from 'lucide-react'
import type { AdminUser } from '../../contract/admin'
import { Badge } from '../../ui/badge'

/** Unusual facts about an account. */
export function UserFlags({ user }: { readonly user: AdminUser }) {
  return (
    <>
      {user.is_superuser && (
        <Badge>
          <ShieldCheck aria-hidden="true" />
          Superuser
        </Badge>
      )}
      {!user.email_verified && <Badge tone="warn">Not verified</Badge>}
      {!user.is_active && <Badge tone="danger">Disabled</Badge>}
      {user.deletion_scheduled_at !== null && <Badge tone="danger">To be deleted</Badge>}
    </>
  )
}
