import { useEffect, useState } from 'react'

/** Milliseconds after the last key until what was typed is looked for. */
const SEARCH_DEBOUNCE = 500

interface SearchTerm {
  /** What stands in the field. */
  readonly typed: string
  readonly type: (text: string) => void
  /** Looks for it at once. */
  readonly submit: () => void
}

/**
 * What is typed into a search, which follows the address except while somebody types.
 * @param term what the address says
 * @param onTerm puts what was typed into the address
 */
export function useSearchTerm(term: string, onTerm: (term: string) => void): SearchTerm {
  const [typing, setTyping] = useState<string | null>(null)

  const finish = (text: string) => {
    setTyping(null)
    if (text !== term) onTerm(text)
  }
  useEffect(() => {
    if (typing === null) return
    const timer = setTimeout(() => finish(typing), SEARCH_DEBOUNCE)
    return () => clearTimeout(timer)
    // By what was typed alone: a render for another reason must not put it off.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typing])

  return { typed: typing ?? term, type: setTyping, submit: () => finish(typing ?? term) }
}
