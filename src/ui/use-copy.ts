import { useState } from 'react'

/** Copies a text; `failed` where the browser does not let the page write to the clipboard. */
export function useCopy(text: string): readonly ['no' | 'yes' | 'failed', () => void] {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no')
  const copy = () =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    )
  return [copied, copy]
}
