import { atom, useAtomValue } from 'jotai'
import { useMemo } from 'react'
import type { WidgetView } from '../db/view'
import type { Snooze } from '../domain/snooze'
import { nowAtom } from './live-data'

/** The pair's snooze while it lasts, else null; renders when it ends. */
export function useSnooze({ snooze }: Pick<WidgetView, 'snooze'>): Snooze | null {
  const until = snooze?.until ?? 0
  const isOver = useAtomValue(useMemo(() => atom((get) => until <= get(nowAtom)), [until]))
  return isOver ? null : (snooze ?? null)
}
