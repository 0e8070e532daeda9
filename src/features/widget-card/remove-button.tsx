import { X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../ui/button'

const RemoveConfirmation = lazy(async () => ({
  default: (await import('./remove-confirmation')).RemoveConfirmation,
}))

/** Asks first; the dialog's code is fetched when a card is first asked to go. */
export function RemoveButton({ pair, onRemove }: { readonly pair: string; readonly onRemove: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <IconButton size="sm" label="Remove pair" onClick={() => setAsking(true)}>
        <X aria-hidden="true" />
      </IconButton>
      {asking && (
        <Suspense fallback={null}>
          <RemoveConfirmation
            pair={pair}
            onCancel={() => setAsking(false)}
            onRemove={() => {
              setAsking(false)
              onRemove()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
