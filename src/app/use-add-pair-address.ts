import { useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { addPairOpenAtom } from '../state/panels'
import { DASHBOARD } from './addresses'

/** The installed app's shortcut leads to `/?add-pair`: it opens the dialog and takes the word out of the address. */
export function useAddPairAddress(): void {
  const search = useSearch()
  const setOpen = useSetAtom(addPairOpenAtom)
  useEffect(() => {
    if (!new URLSearchParams(search).has('add-pair')) return
    setOpen(true)
    navigate(DASHBOARD, { replace: true })
  }, [search, setOpen])
}
