import { liveQuery } from 'dexie'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { PairIds, PairReport } from '../../../../workers/api'
import { messageOf } from '../../../domain/error-message'
import { useServices } from '../../../state/services'

/** Milliseconds after which a report is computed again: current prices have moved on. */
const REPORT_AGE_MS = 20_000

export type ReportState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly report: PairReport }
  /** No daily closes are stored. */
  | { readonly kind: 'none' }
  /** Daily closes are stored, but not of both coins. */
  | { readonly kind: 'lacking' }
  | { readonly kind: 'failed'; readonly message: string }

/** The figures of a pair, from the stored daily closes; and the function that computes them again. */
export function usePairReport({ coinA, coinB }: PairIds): readonly [state: ReportState, retry: () => void] {
  const { commands, worker } = useServices()
  const [state, setState] = useState<ReportState>({ kind: 'loading' })
  const again = useRef<() => void>(undefined)
  useEffect(() => {
    let isEnded = false
    let hasCloses = false
    const put = (next: (known: ReportState) => ReportState) => {
      if (!isEnded) setState(next)
    }
    const ask = async () => {
      try {
        const report = await worker().pairReport({ coinA, coinB }, commands.now())
        put(() => (report === null ? { kind: hasCloses ? 'lacking' : 'none' } : { kind: 'ready', report }))
      } catch (error) {
        reportError(error)
        // Figures that were true a moment ago stay.
        put((known) => (known.kind === 'ready' ? known : { kind: 'failed', message: messageOf(error) }))
      }
    }
    again.current = () => void ask()
    // The first result comes at once, each later one with another matrix.
    const closes = liveQuery(() => commands.db.daily_closes.get('usd')).subscribe({
      next: (row) => {
        hasCloses = row !== undefined
        void ask()
      },
      error: (error: unknown) => reportError(error),
    })
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask()
    }, REPORT_AGE_MS)
    return () => {
      isEnded = true
      closes.unsubscribe()
      clearInterval(timer)
    }
  }, [coinA, coinB, worker, commands])
  const retry = useCallback(() => {
    setState({ kind: 'loading' })
    again.current?.()
  }, [])
  return [state, retry]
}
