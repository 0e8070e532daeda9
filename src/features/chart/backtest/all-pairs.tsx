import { useEffect, useRef, useState } from 'react'
import type { PairsWalk, WalkRule } from '../../../../workers/api'
import { useServices } from '../../../state/services'
import { Button } from '../../../ui/button'
import styles from './backtest-card.module.css'
import { pairsWalkSentence } from './backtest-words'

type Run =
  | { readonly kind: 'idle' }
  | { readonly kind: 'walking'; readonly share: number }
  | { readonly kind: 'walked'; readonly walk: PairsWalk; readonly rule: WalkRule }
  | { readonly kind: 'failed' }

/** The base rate that one pair cannot give: its rule over a year of all pairs, on request. */
export function AllPairs({ rule }: { readonly rule: WalkRule }) {
  const { worker } = useServices()
  const [run, setRun] = useState<Run>({ kind: 'idle' })
  const wanted = useRef<AbortController>(null)
  useEffect(() => () => wanted.current?.abort(), [])

  const walk = async () => {
    const { signal } = (wanted.current = new AbortController())
    const show = (next: Run) => {
      if (!signal.aborted) setRun(next)
      return !signal.aborted
    }
    show({ kind: 'walking', share: 0 })
    try {
      const found = await worker().walkPairs(rule, (done, total) => show({ kind: 'walking', share: done / total }))
      show({ kind: 'walked', walk: found, rule })
    } catch (error) {
      reportError(error)
      show({ kind: 'failed' })
    }
  }
  const cancel = () => {
    wanted.current?.abort()
    setRun({ kind: 'idle' })
  }
  return (
    <div className={styles.allPairs}>
      {/* One button for both, so that the focus stays on it. */}
      <div className={styles.walking}>
        <Button size="sm" onClick={() => (run.kind === 'walking' ? cancel() : void walk())}>
          {run.kind === 'walking' ? 'Cancel' : 'Test a year of all pairs'}
        </Button>
        {run.kind === 'walking' && <progress aria-label="Pairs tested" value={run.share} />}
      </div>
      <p role="status">
        {run.kind === 'walked' && pairsWalkSentence(run.walk, run.rule.k)}
        {run.kind === 'failed' && 'The pairs could not be tested.'}
      </p>
    </div>
  )
}
