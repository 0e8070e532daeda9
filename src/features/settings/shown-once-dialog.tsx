import type { ReactNode } from 'react'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { FormNote } from '../../ui/form'
import stack from '../../ui/stack.module.css'
import { useCopy } from '../../ui/use-copy'

interface ShownOnce {
  readonly title: string
  /** The button that closes. */
  readonly kept: string
  readonly copied: string
  readonly notCopied: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Shows what no later answer of the server repeats, with a button that copies it. */
export function ShownOnceDialog({ title, kept, copied: text, notCopied, onClose, children }: ShownOnce) {
  const [copied, copy] = useCopy(text)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={copy}>{copied === 'yes' ? 'Copied' : 'Copy'}</Button>
          <Button variant="primary" onClick={onClose}>
            {kept}
          </Button>
        </>
      }
    >
      <div className={stack.gap4}>
        {copied === 'failed' && <FormNote tone="error">{notCopied}</FormNote>}
        {children}
      </div>
    </Dialog>
  )
}
