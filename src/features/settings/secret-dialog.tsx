import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FormNote } from '../../ui/form'
import stack from '../../ui/stack.module.css'
import { useCopy } from '../../ui/use-copy'
import styles from './secret-dialog.module.css'

/** Shows what signs a webhook's messages, once: no later answer repeats it. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const [copied, copy] = useCopy(secret)
  return (
    <Dialog
      title="Signing secret"
      onClose={onClose}
      footer={
        <>
          <Button onClick={copy}>{copied === 'yes' ? 'Copied' : 'Copy'}</Button>
          <Button variant="primary" onClick={onClose}>
            I have kept it
          </Button>
        </>
      }
    >
      <div className={stack.gap4}>
        <p>
          The receiver checks by it that a message comes from here (Standard Webhooks). It is not shown again. A secret
          that it takes the place of goes on signing for 24 hours.
        </p>
        {copied === 'failed' && <FormNote tone="error">The secret could not be copied. Write it down.</FormNote>}
        <code className={styles.secret}>{secret}</code>
      </div>
    </Dialog>
  )
}
