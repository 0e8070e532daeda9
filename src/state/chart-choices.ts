import { atom, useAtom } from 'jotai'
import { useCallback, useEffect } from 'react'
import { readMeta } from '../db/database'
import type { MetaRows } from '../db/rows'
import { storeMeta } from '../db/write-transaction'
import { useServices } from './services'

type ChartChoices = MetaRows['chart_choices']

const NOTHING_CHOSEN: ChartChoices = { average: false, bands: false, period: null }

/** Undefined: not yet read. */
export const chartChoicesAtom = atom<ChartChoices | undefined>(undefined)

/** The user's last choices for charts on this device, for all pairs, kept over restarts; undefined until read. */
export function useChartChoices() {
  const { db } = useServices().commands
  const [choices, setChoices] = useAtom(chartChoicesAtom)
  useEffect(() => {
    const use = (read: ChartChoices | undefined) => setChoices((known) => known ?? read ?? NOTHING_CHOSEN)
    readMeta(db, 'chart_choices').then(use, (error: unknown) => {
      reportError(error)
      use(undefined)
    })
  }, [db, setChoices])

  const choose = useCallback(
    (change: Partial<ChartChoices>) =>
      setChoices((known) => {
        const next = { ...NOTHING_CHOSEN, ...known, ...change }
        storeMeta(db, 'chart_choices', next).catch((error: unknown) => reportError(error))
        return next
      }),
    [db, setChoices],
  )
  return { choices, choose } as const
}
