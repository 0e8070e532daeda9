import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { cardFocusAtom } from '../../state/card-focus'

/** Gives the card the focus once when it is the one that should have it, and scrolls it into view. */
export function useCardFocus<E extends HTMLElement>(key: string, id: string): RefObject<E | null> {
  const article = useRef<E>(null)
  const isMineAtom = useMemo(() => atom((get) => [key, id].includes(get(cardFocusAtom) ?? '')), [key, id])
  const isMine = useAtomValue(isMineAtom)
  const setWanted = useSetAtom(cardFocusAtom)
  useEffect(() => {
    if (!isMine) return
    article.current?.focus({ preventScroll: true })
    article.current?.scrollIntoView({ block: 'nearest' })
    setWanted(null)
  }, [isMine, setWanted])
  return article
}
