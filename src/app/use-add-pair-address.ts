import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { askToAddPairAtom } from '../state/add-pair'
import { boardAtom } from '../state/live-data'
import { DASHBOARD } from './addresses'

/** Whether there is room for another pair is known with the board. */
const boardKnownAtom = atom((get) => get(boardAtom) !== undefined)

/** The installed app's shortcut leads to `/?add-pair`: it asks for a pair and takes the word out of the address. */
export function useAddPairAddress(): void {
  const search = useSearch()
  const known = useAtomValue(boardKnownAtom)
  const askToAddPair = useSetAtom(askToAddPairAtom)
  useEffect(() => {
    if (!known || !new URLSearchParams(search).has('add-pair')) return
    askToAddPair()
    navigate(DASHBOARD, { replace: true })
  }, [known, search, askToAddPair])
}
