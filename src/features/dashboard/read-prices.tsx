import { useSetAtom, useStore } from 'jotai'
import { Volume2 } from 'lucide-react'
import { useState } from 'react'
import { reportMissingChunkAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { useShortcuts } from '../../ui/use-shortcuts'
import { VisuallyHidden } from '../../ui/visually-hidden'

/**
 * Figures that change every second are no live regions: a screen reader would never be silent. This button, and its key,
 * have it read them once.
 * @param hasKeys single keys act as shortcuts
 */
export function ReadPrices({ hasKeys }: { readonly hasKeys: boolean }) {
  const store = useStore()
  const [said, setSaid] = useState({ words: '', times: 0 })
  const reportMissingChunk = useSetAtom(reportMissingChunkAtom)
  const read = () => {
    import('./prices-in-words').then(
      ({ pricesInWords }) => setSaid(({ times }) => ({ words: pricesInWords(store), times: times + 1 })),
      () => reportMissingChunk(() => undefined),
    )
  }
  useShortcuts({ r: read }, hasKeys)
  return (
    <>
      <IconButton
        size="sm"
        label="Read prices"
        icon={Volume2}
        aria-keyshortcuts={hasKeys ? 'r' : undefined}
        onClick={read}
      />
      <VisuallyHidden role="status">
        {/* Another element each time, so that the same words are read again. */}
        {said.times > 0 && <span key={said.times}>{said.words}</span>}
      </VisuallyHidden>
    </>
  )
}
