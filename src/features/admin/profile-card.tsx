import type { ReactNode } from 'react'
import type { AdminProfile } from '../../contract/admin'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import { Facts } from '../../ui/facts'
import { formatDateTime, formatDay } from '../../ui/moment'
import { PageCard } from '../../ui/page'
import { DAY } from './grant-days'
import styles from './profile-card.module.css'

const at = (time: string | null): ReactNode => (time === null ? 'Never' : formatDateTime(Date.parse(time)))

/** What is known of an account. */
export function ProfileCard({ user }: { readonly user: AdminProfile }) {
  const { deletion_scheduled_at: scheduled } = user
  return (
    <PageCard title="Profile">
      <Facts
        facts={[
          { name: 'User ID', value: <code className={styles.id}>{user.id}</code> },
          { name: 'Email verified', value: user.email_verified ? 'Yes' : 'No' },
          { name: 'Logs in with', value: user.has_password ? 'Email and password' : 'Google' },
          { name: 'Can log in', value: user.is_active ? 'Yes' : 'No, disabled' },
          { name: 'Last login', value: at(user.last_login_at) },
          { name: 'Member since', value: formatDay(Date.parse(user.created_at)) },
          { name: 'Terms accepted', value: accepted(user.accepted_terms_version, user.accepted_terms_at) },
          { name: 'Privacy accepted', value: accepted(user.accepted_privacy_version, user.accepted_privacy_at) },
          ...(scheduled === null
            ? []
            : [{ name: 'Deleted on', value: formatDay(Date.parse(scheduled) + DELETION_GRACE_DAYS * DAY) }]),
        ]}
      />
    </PageCard>
  )
}

const accepted = (version: string | null, time: string | null): ReactNode =>
  version === null || time === null ? 'Not yet' : `${version}, on ${formatDay(Date.parse(time))}`
