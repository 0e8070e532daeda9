import { useSetAtom } from 'jotai'
import type { PointerEvent } from 'react'
import { formatEstimatedPeriod } from '../../domain/format-time'
import { showToastAtom } from '../../state/toasts'
import { Tooltip } from '../../ui/tooltip'
import type { ChartReady } from '../../../workers/api'
import styles from './estimated-period.module.css'
import { swingWords } from './plain-words'

const EXPLANATION = 'Estimated dominant oscillation period based on peak/trough analysis'

/** A button only so that keyboards and fingers reach the explanation; a finger, which opens no tooltip, is told. */
export function EstimatedPeriod({ chart }: { readonly chart: ChartReady | null }) {
  const showToast = useSetAtom(showToastAtom)
  const explain = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') showToast({ type: 'info', message: EXPLANATION })
  }
  const period = chart?.estimatedPeriod ?? null
  return (
    <span className={styles['aside']}>
      <Tooltip text={EXPLANATION} side="below" align="end">
        {(describedBy) => (
          <button type="button" className={styles['estimate']} aria-describedby={describedBy} onPointerUp={explain}>
            Est. Period: <span className="tabular">{formatEstimatedPeriod(period)}</span>
          </button>
        )}
      </Tooltip>
      {chart !== null && <span className={styles['plain']}>{swingWords(period)}</span>}
    </span>
  )
}
