import { useAtomValue, useSetAtom } from 'jotai'
import { Info } from 'lucide-react'
import { accountAtom } from '../../state/account'
import { authOpenAtom } from '../../state/panels'
import { useTierLimits } from '../../state/use-tier-limits'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TierTable } from './tier-table'
import styles from './upgrade-dialog.module.css'

/** What Premium is, and honestly that this server does not sell it. */
export function UpgradeDialog({ onClose }: { readonly onClose: () => void }) {
  const limits = useTierLimits()
  const guest = useAtomValue(accountAtom)?.account === 'guest'
  const openAuth = useSetAtom(authOpenAtom)
  const register = () => {
    onClose()
    openAuth({ view: 'register' })
  }
  return (
    <Dialog
      title="Upgrade to Premium"
      onClose={onClose}
      footer={
        <>
          {guest && <Button onClick={register}>Create an account</Button>}
          <Button variant="primary" data-autofocus onClick={onClose}>
            OK
          </Button>
        </>
      }
    >
      <div className={styles.content}>
        {limits !== undefined && <TierTable limits={limits} />}
        <p className={styles.note}>
          <Info aria-hidden="true" />
          <span>
            Premium cannot be bought on this server yet. Your pairs stay as they are; to track another one, remove an
            active pair.
          </span>
        </p>
      </div>
    </Dialog>
  )
}
