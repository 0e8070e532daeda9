import { useState } from 'react'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FormNote } from '../../ui/form'
import stack from '../../ui/stack.module.css'
import styles from './passkeys-card.module.css'

/** Shows new recovery codes, once: the server keeps no more than hashes of them. */
export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[]
  readonly onClose: () => void
}) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return (
    <Dialog
      title="Your recovery codes"
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => void copy()}>{copied === 'yes' ? 'Copied' : 'Copy'}</Button>
          <Button variant="primary" onClick={onClose}>
            I have kept them
          </Button>
        </>
      }
    >
      <div className={stack.gap4}>
        <p>
          If you lose your passkeys, each of these codes logs you in once. Keep them where you keep what matters; they
          are not shown again.
        </p>
        {copied === 'failed' && <FormNote tone="error">The codes could not be copied. Write them down.</FormNote>}
        <ul className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
