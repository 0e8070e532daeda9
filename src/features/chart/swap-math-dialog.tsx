import { useState } from 'react'
import type { PairView } from '../../db/view'
import { breakEven } from '../../domain/backtest'
import { swapCostOf } from '../../domain/backtest-choices'
import { formatSignificant } from '../../domain/format-number'
import { pairTitle } from '../../domain/pair'
import type { RangeEnd } from '../../domain/extreme'
import { readNumber } from '../../domain/read-number'
import { swapMath } from '../../domain/swap-math'
import { useChartChoices } from '../../state/chart-choices'
import { Dialog } from '../../ui/dialog'
import { type Fact, Facts } from '../../ui/facts'
import { Field, TextInput } from '../../ui/field'
import { FigureLink } from '../../ui/figure-link'
import { Segmented } from '../../ui/segmented'
import styles from './swap-math-dialog.module.css'

interface SwapMathDialogProps {
  readonly pair: PairView
  /** The current ratio. */
  readonly ratio: number
  /** The average of a window; null: not known. */
  readonly average: { readonly ratio: number; readonly days: number } | null
  /** The side of the average on which the ratio stands. */
  readonly side: RangeEnd
  readonly onClose: () => void
}

interface SwapFacts extends Pick<SwapMathDialogProps, 'side' | 'ratio' | 'average'> {
  readonly amount: number
  readonly cost: number
  /** Symbols of the coin that is swapped, and of the other one. */
  readonly given: string
  readonly taken: string
}

function factsOf({ side, amount, ratio, average, cost, given, taken }: SwapFacts): readonly Fact[] {
  const { there, backAtOnce, backAt } = swapMath(side, amount, ratio, average?.ratio ?? null, cost)
  const at = (value: number): string => formatSignificant(value, 4)
  const facts = [
    { name: `Swapped at ${at(ratio)}`, value: `${formatSignificant(there, 5)} ${taken}` },
    { name: 'And back at once', value: `${formatSignificant(backAtOnce, 5)} ${given}` },
    {
      name: `As much ${given} as before`,
      value: `${side === 'high' ? 'below' : 'above'} a ratio of ${at(breakEven(side, ratio, cost))}`,
    },
  ]
  if (average === null || backAt === null) return facts
  const name = `Back at the average of ${average.days} days, ${at(average.ratio)}`
  return [...facts, { name, value: `${formatSignificant(backAt, 5)} ${given}` }]
}

/** An amount of either coin, swapped there and back: arithmetic, with the cost of the user's backtests. */
export function SwapMathDialog({ pair, ratio, average, side: first, onClose }: SwapMathDialogProps) {
  const [side, setSide] = useState(first)
  const [text, setText] = useState('1')
  const cost = swapCostOf(useChartChoices().choices?.backtest)
  const [a, b] = [pair.coinA.symbol.toUpperCase(), pair.coinB.symbol.toUpperCase()]
  const [given, taken] = side === 'high' ? [a, b] : [b, a]
  // Beside a ratio of 1 a point is a decimal one.
  const read = readNumber(text, 1)
  const amount = read.kind === 'one' && read.value > 0 ? read.value : null
  return (
    <Dialog title={`${pairTitle(pair)} - Swap Math`} onClose={onClose}>
      <div className={styles.form}>
        <Segmented
          label="Swap"
          options={[
            { value: 'high', label: `${a} → ${b}` },
            { value: 'low', label: `${b} → ${a}` },
          ]}
          value={side}
          onChange={setSide}
        />
        <Field label={`Amount of ${given}`} error={amount === null ? 'A number above 0, such as 1.5' : null}>
          {(control) => (
            <TextInput
              {...control}
              data-autofocus
              inputMode="decimal"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      {amount !== null && <Facts facts={factsOf({ side, amount, ratio, average, cost, given, taken })} />}
      <p className={styles.note}>
        Each swap costs {Number((100 * cost).toPrecision(6))}
        {'\u00A0'}% here, <FigureLink figure="break-even">fees and spread</FigureLink>: the cost that backtests have.
        Nothing is swapped.
      </p>
    </Dialog>
  )
}
