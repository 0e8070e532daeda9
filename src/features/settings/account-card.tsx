import { useAtomValue } from 'jotai'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { User } from '../../contract/session'
import type { AccountView } from '../../db/queries/account'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import { accountAtom } from '../../state/account'
import { Button } from '../../ui/button'
import { Facts } from '../../ui/facts'
import { formatDay } from '../../ui/moment'
import { PageCard } from '../../ui/page'
import { DeleteAccountDialog } from './delete-account-dialog'
import { GoogleLink } from './google-link'
import { PasswordRow } from './password-row'
import styles from './settings-page.module.css'

/** The account of who is signed in; absent for guests. */
export function AccountCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined || account.user === null) return null
  // Another person's account begins with everything closed.
  return <SignedIn key={account.owner} owner={account.owner} user={account.user} />
}

function SignedIn({ owner, user }: { readonly owner: AccountView['owner']; readonly user: User }) {
  const [deleting, setDeleting] = useState(false)
  return (
    <PageCard title="Account Management">
      <Facts
        facts={[
          { name: 'Email', value: user.email },
          { name: 'Logs in with', value: user.has_password ? 'Email and password' : 'Google' },
          ...(user.has_google === undefined
            ? []
            : [{ name: 'Google', value: <GoogleLink owner={owner} user={user} /> }]),
          { name: 'Member since', value: formatDay(Date.parse(user.created_at)) },
        ]}
      />
      <PasswordRow owner={owner} user={user} />
      <div className={styles.more}>
        <p className={styles.text}>
          Deletes the account and everything in it after {DELETION_GRACE_DAYS} days. Logging in before that cancels it.
        </p>
        <Button className={styles.dangerous} icon={<Trash2 aria-hidden="true" />} onClick={() => setDeleting(true)}>
          Delete Account
        </Button>
      </div>
      {deleting && <DeleteAccountDialog owner={owner} user={user} onClose={() => setDeleting(false)} />}
    </PageCard>
  )
}
