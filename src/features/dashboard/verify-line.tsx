import { useAtomValue, useSetAtom } from 'jotai'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { UNVERIFIED_DAYS } from '../../domain/account'
import { DAY } from '../../domain/granularity'
import { formatDay } from '../../domain/local-time'
import { accountAtom } from '../../state/account'
import { sentenceOf } from '../../state/calls'
import { useServices } from '../../state/services'
import { showToastAtom } from '../../state/toasts'
import { LinkButton } from '../../ui/button'
import { BoardLine } from './board-line'
import styles from './guest-offer.module.css'

const NOT_SENT = 'Failed to resend the verification email. Please try again.'

/** Tells a user who has made the account in this browser what is left to do, until the address is verified. */
export function VerifyLine() {
  const { engine } = useServices()
  const user = useAtomValue(accountAtom)?.user
  const showToast = useSetAtom(showToastAtom)
  const [busy, setBusy] = useState(false)
  if (user?.email_verified !== false) return null

  const resend = async () => {
    if (busy) return
    setBusy(true)
    const result = await engine.call('resendVerification', { email: user.email })
    setBusy(false)
    if (result.ok) showToast({ kind: 'success', message: result.value.message })
    else showToast({ kind: 'error', message: sentenceOf(result, NOT_SENT) })
  }
  const until = formatDay(Date.parse(user.created_at) + UNVERIFIED_DAYS * DAY)
  const text = `Open the link in the mail to ${user.email} by ${until}, or the account is removed.`
  return (
    <BoardLine icon={MailCheck} text={text} className={styles.line}>
      <LinkButton aria-disabled={busy} onClick={() => void resend()}>
        Send it again
      </LinkButton>
    </BoardLine>
  )
}
