import { useAtomValue, useSetAtom, useStore } from 'jotai'
import { BellPlus, Calculator, History, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { ChartReady } from '../../../workers/api'
import type { PairView, WidgetView } from '../../db/view'
import { chartPath } from '../../domain/app-paths'
import { lastRatio } from '../../domain/chart-facts'
import { pairLabel } from '../../domain/pair'
import { boardAtom, pairRatioAtom, usePairRatio } from '../../state/live-data'
import { openDialogAtom } from '../../state/open-dialogs'
import { useDefaultCheckpoint } from '../../state/use-default-checkpoint'
import { Button, buttonClass } from '../../ui/button'
import { FigureLink } from '../../ui/figure-link'
import { Skeleton } from '../../ui/skeleton'
import { onceKnown } from './once-known'
import styles from './pair-head.module.css'
import { SinceCheckpoint } from './since-checkpoint'
import { SwapMathDialog } from './swap-math-dialog'
import { useAddPair } from './sheet/add-pair-card'
import type { Sentence } from './sheet/pair-sentences'
import type { ShownWindow } from './sheet/shown-window'

interface PairHeadProps {
  readonly pair: PairView
  /** The pair on the dashboard, this way round or the other; null: it is not there. */
  readonly widget: WidgetView | null
  readonly chart: ChartReady | null
  readonly shown: ShownWindow
  /** The ratio, its change and its age. */
  readonly children: ReactNode
}

/** First of the page: the pair, its place in one sentence, and all that the user can do about it. */
export function PairHead({ pair, widget, chart, shown, children }: PairHeadProps) {
  // Before, nothing is known of the user's pairs.
  const isLoaded = useAtomValue(boardAtom) !== undefined
  return (
    <div className={styles.head}>
      {children}
      <Place shown={shown} />
      <div className={styles.actions} role="group" aria-label="Actions">
        {widget === null ? (
          isLoaded && <AddButton pair={pair} />
        ) : widget.coinA.id === pair.coinA.id ? (
          <OwnActions widget={widget} side={shown.side} />
        ) : (
          <Link href={chartPath(widget.id)} className={buttonClass({ size: 'sm' })}>
            On your dashboard: {pairLabel(widget.coinA.symbol, widget.coinB.symbol)}
          </Link>
        )}
        <SwapMath pair={pair} chart={chart} shown={shown} />
      </div>
      {widget !== null && widget.coinA.id === pair.coinA.id && <SinceCheckpoint widget={widget} />}
    </div>
  )
}

/** The place and which coin moved, as far as they are known; else what is missing. */
function Place({ shown: { state, sentences } }: Pick<PairHeadProps, 'shown'>) {
  if (state.kind === 'loading') {
    return (
      <p className={styles.place} aria-busy="true">
        <Skeleton height="2.5em" />
      </p>
    )
  }
  const found = sentences.filter(({ figure }) => figure === 'percentile' || figure === 'legs')
  const first: readonly Sentence[] = found.length > 0 ? found : sentences.slice(0, 1)
  if (first.length === 0) return null
  return (
    <p className={styles.place}>
      {first.map(({ figure, name, words }) => (
        <span key={name}>
          <FigureLink figure={figure} className={styles.words}>
            {words}
          </FigureLink>{' '}
        </span>
      ))}
    </p>
  )
}

/** Alert and checkpoint of the user's own pair. @param side of the average on which the ratio stands */
function OwnActions({ widget, side }: { readonly widget: WidgetView } & Pick<ShownWindow, 'side'>) {
  const openDialog = useSetAtom(openDialogAtom)
  const checkpoint = useSaveCheckpoint(widget)
  return (
    <>
      <Button
        size="sm"
        variant="primary"
        icon={BellPlus}
        aria-haspopup="dialog"
        onClick={() => openDialog({ kind: 'threshold', widget: widget.id, side })}
      >
        Alert
      </Button>
      <Button size="sm" icon={History} aria-busy={checkpoint.isAwaited} onClick={checkpoint.save}>
        Checkpoint
      </Button>
    </>
  )
}

/** Saves with the first prices of a pair that was only just added, whose page shows the ratio of its history meanwhile. */
function useSaveCheckpoint(widget: WidgetView) {
  const store = useStore()
  const { save } = useDefaultCheckpoint(widget)
  const [isAwaited, setAwaited] = useState(false)
  return {
    isAwaited,
    save: () => {
      if (isAwaited) return
      setAwaited(true)
      onceKnown(store, pairRatioAtom(widget.coinA.id, widget.coinB.id), () => {
        setAwaited(false)
        save()
      })
    },
  }
}

function AddButton({ pair }: { readonly pair: PairView }) {
  const { add, isDisabled } = useAddPair(pair)
  return (
    <Button size="sm" variant="primary" icon={Plus} aria-disabled={isDisabled} onClick={() => void add(null)}>
      Add pair
    </Button>
  )
}

function SwapMath({ pair, chart, shown: { average, side } }: Pick<PairHeadProps, 'pair' | 'chart' | 'shown'>) {
  const [isOpen, setOpen] = useState(false)
  const live = usePairRatio(pair.coinA.id, pair.coinB.id)
  const ratio = live ?? (chart && lastRatio(chart))
  return (
    <>
      <Button
        size="sm"
        icon={Calculator}
        aria-haspopup="dialog"
        disabled={ratio === null || ratio <= 0}
        onClick={() => setOpen(true)}
      >
        Swap math
      </Button>
      {isOpen && ratio !== null && ratio > 0 && (
        <SwapMathDialog pair={pair} ratio={ratio} average={average} side={side} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
