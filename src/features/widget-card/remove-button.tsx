import { useSetAtom } from 'jotai'
import { X } from 'lucide-react'
import { useState } from 'react'
import { partMissingAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'

const RemoveConfirmation = lazyPart(async () => (await import('./remove-confirmation')).RemoveConfirmation)

/** Asks first; the dialog's code is fetched when a card is first asked to go. */
export function RemoveButton({ pair, onRemove }: { readonly pair: string; readonly onRemove: () => void }) {
  const [asking, setAsking] = useState(false)
  const missing = useSetAtom(partMissingAtom)
  const close = () => setAsking(false)
  return (
    <>
      <IconButton size="sm" label="Remove pair" onClick={() => setAsking(true)}>
        <X aria-hidden="true" />
      </IconButton>
      {asking && (
        <RemoveConfirmation
          pair={pair}
          onCancel={close}
          onRemove={() => {
            close()
            onRemove()
          }}
          onMissing={() => missing(close)}
        />
      )}
    </>
  )
}
