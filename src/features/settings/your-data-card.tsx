import { useAtomValue } from 'jotai'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AccountView } from '../../db/queries/account'
import { DELETION_GRACE_DAYS } from '../../domain/account'
import { accountAtom } from '../../state/account'
import { Button } from '../../ui/button'
import { PageCard } from '../../ui/page'
import { DeleteAccountDialog } from './delete-account-dialog'
import { DeleteGuestDataDialog } from './delete-guest-data-dialog'
import { DownloadData } from './download-data'
import { SetupRow } from './setup-row'
import styles from './settings-page.module.css'

/** Data that is kept of the user: to be had as a file, and to be deleted. */
export function YourDataCard() {
  const account = useAtomValue(accountAtom)
  if (account === undefined) return null
  return (
    <PageCard title="Your Data">
      <div className={styles.row}>
        <p className={styles.text}>One file with everything that the server and this browser have of you.</p>
        <DownloadData />
      </div>
      <SetupRow key={`setup-${account.owner}`} />
      {/* Another person's data begins with everything closed. */}
      <DeleteData key={account.owner} account={account} />
    </PageCard>
  )
}

function DeleteData({ account: { owner, user } }: { readonly account: AccountView }) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <div className={styles.more}>
      <p className={styles.text}>
        {user === null
          ? 'Everything of yours is deleted at once, at the server and in this browser.'
          : `Your account and everything in it is deleted after ${DELETION_GRACE_DAYS} days.`}
      </p>
      <Button className={styles.dangerous} icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking(true)}>
        Delete my data
      </Button>
      {asking && user === null && <DeleteGuestDataDialog owner={owner} onClose={close} />}
      {asking && user !== null && <DeleteAccountDialog owner={owner} user={user} onClose={close} />}
    </div>
  )
}
