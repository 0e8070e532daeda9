import { useEffect, useState } from 'react'
import type { PairIds, RatioHistory } from '../../workers/api'
import { PAST_DAYS } from '../domain/threshold-past'
import { useServices } from './services'

/**
 * The pair's ratios of the last 90 days from what is stored, at once, and again when the history that the engine is asked
 * for has come; null: not known.
 * @param isWanted false: nothing is read yet
 */
export function useRatioHistory({ coinA, coinB }: PairIds, isWanted = true): RatioHistory | null {
  const { commands, engine, worker } = useServices()
  const { now } = commands
  const [history, setHistory] = useState<RatioHistory | null>(null)

  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    const read = async () => {
      const found = await worker().ratioHistory({ coinA, coinB }, PAST_DAYS, now())
      if (!isOver) setHistory(found)
    }
    const readTwice = async () => {
      await read()
      await Promise.all([coinA, coinB].map((id) => engine.call('historical', { id, period: '3m' })))
      if (!isOver) await read()
    }
    readTwice().catch((error: unknown) => reportError(error))
    return () => {
      isOver = true
    }
  }, [coinA, coinB, isWanted, worker, engine, now])
  return history
}
