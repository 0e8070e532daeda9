import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { PolicyAcceptance } from '../../features/policies/policy-acceptance'
import { DeleteAccountDialog } from '../../features/settings/delete-dialogs'
import { accountAtom } from '../../state/account'
import { useTitle } from '../screen'
import { OutsideFrame } from './outside-frame'

/** Replaces the app until the user has accepted the policies in force or deleted the account. */
export function PolicyGate() {
  const account = useAtomValue(accountAtom)
  const [deleting, setDeleting] = useState(false)
  useTitle('Policies')
  if (account === undefined || account.user === null) return null
  const { owner, user, policies } = account
  const again = user.accepted_terms_at !== null && user.accepted_privacy_at !== null
  return (
    <OutsideFrame>
      <PolicyAcceptance email={user.email} policies={policies} again={again} onDelete={() => setDeleting(true)} />
      {deleting && <DeleteAccountDialog owner={owner} user={user} onClose={() => setDeleting(false)} />}
    </OutsideFrame>
  )
}
