import { useAtomValue } from 'jotai'
import { PolicyAcceptance } from '../../features/policies/policy-acceptance'
import { accountAtom } from '../../state/account'
import { useTitle } from '../use-title'
import { OutsideFrame } from './outside-frame'

/** Stands in the place of the app until the user has accepted the policies in force. */
export function PolicyGate() {
  const account = useAtomValue(accountAtom)
  useTitle('Policies')
  if (account === undefined || account.user === null) return null
  const { user, policies } = account
  const again = user.accepted_terms_at !== null && user.accepted_privacy_at !== null
  return (
    <OutsideFrame>
      <PolicyAcceptance email={user.email} policies={policies} again={again} />
    </OutsideFrame>
  )
}
