import type { ReactNode } from 'react'
import type { RangeEnd } from '../../domain/extreme'
import type { ExplainedFigure } from '../../ui/figure-link'
import styles from './explanation.module.css'

export interface ExplanationProps {
  readonly figure: ExplainedFigure
  readonly title: string
  readonly text: ReactNode
  /** The drawn example. */
  readonly chart?: ExampleChartProps
  /** The figure of the drawing, computed from it. */
  readonly caption?: string
}

/** One figure: plain words, and one drawn example. */
export const Explanation = ({ figure, title, text, chart, caption }: ExplanationProps) => (
  <section id={figure} className={styles.explanation} aria-labelledby={`${figure}-title`} tabIndex={-1}>
    <h3 id={`${figure}-title`} className={styles.title}>
      {title}
    </h3>
    {text}
    {chart !== undefined && (
      <figure className={styles.figure}>
        <ExampleChart {...chart} />
        {caption !== undefined && <figcaption className={styles.caption}>{caption}</figcaption>}
      </figure>
    )}
  </section>
)

/** A horizontal line of an example, with its name at the left edge. */
interface ExampleLevel {
  readonly value: number
  readonly name: string
  readonly tone: 'average' | 'band' | RangeEnd
}

interface Mark {
  /** Index into the values. */
  readonly at: number
  readonly shape: 'dot' | 'up' | 'down'
  readonly name?: string
}

interface ExampleChartProps {
  /** The picture in one sentence. */
  readonly label: string
  /** Evenly spaced, oldest first; the line is broken where one is NaN. */
  readonly values: readonly number[]
  /** A second line on the same scale. */
  readonly second?: readonly number[]
  /** Lines that move along with the values. */
  readonly bands?: { readonly upper: readonly number[]; readonly lower: readonly number[] }
  readonly levels?: readonly ExampleLevel[]
  readonly marks?: readonly Mark[]
  /** Spans of indices between which the ground is shaded. */
  readonly spans?: readonly (readonly [from: number, to: number])[]
}

const WIDTH = 360
const HEIGHT = 132
const INSET = { left: 6, right: 14, top: 16, bottom: 14 }

/** A small drawn chart that nothing moves in: an example, not data. */
function ExampleChart({ label, values, second, bands, levels = [], marks = [], spans = [] }: ExampleChartProps) {
  const all = [...values, ...(second ?? []), ...(bands ? [...bands.upper, ...bands.lower] : [])].concat(
    levels.map(({ value }) => value),
  )
  const known = all.filter(Number.isFinite)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const x = (index: number) => INSET.left + ((WIDTH - INSET.left - INSET.right) * index) / (values.length - 1)
  const y = (value: number) => INSET.top + ((HEIGHT - INSET.top - INSET.bottom) * (high - value)) / (high - low)
  const path = (line: readonly number[]) =>
    line
      .map((value, index) =>
        Number.isNaN(value)
          ? ''
          : `${Number.isNaN(line[index - 1] ?? NaN) ? 'M' : 'L'}${round(x(index))} ${round(y(value))}`,
      )
      .join('')
  return (
    <svg className={styles.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {spans.map(([from, to]) => (
        <rect key={from} className={styles.span} x={x(from)} y={0} width={x(to) - x(from)} height={HEIGHT} />
      ))}
      {levels.map(({ value, name, tone }) => (
        <line key={name} className={styles[tone]} x1={0} x2={WIDTH} y1={y(value)} y2={y(value)} />
      ))}
      {bands && <path className={styles.edge} d={path(bands.upper)} />}
      {bands && <path className={styles.edge} d={path(bands.lower)} />}
      {second && <path className={styles.second} d={path(second)} />}
      <path className={styles.line} d={path(values)} />
      {levels.map(({ value, name }) => (
        <text key={name} x={INSET.left} y={y(value) - 4}>
          {name}
        </text>
      ))}
      {marks.map(({ at, shape, name }) => (
        <g key={at} className={styles.mark} transform={`translate(${round(x(at))} ${round(y(values[at] ?? NaN))})`}>
          <path d={SHAPES[shape]} />
          {name !== undefined && <MarkName name={name} isLeft={!((values[at + 1] ?? NaN) < (values[at] ?? NaN))} />}
        </g>
      ))}
    </svg>
  )
}

/** Above the mark, on the side to which the line does not rise. */
const MarkName = ({ name, isLeft }: { readonly name: string; readonly isLeft: boolean }) => (
  <text x={isLeft ? -7 : 7} y={-5} textAnchor={isLeft ? 'end' : 'start'}>
    {name}
  </text>
)

const round = (value: number): number => Math.round(value * 10) / 10

const SHAPES: Readonly<Record<Mark['shape'], string>> = {
  dot: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  up: 'M0 -6L6 5H-6z',
  down: 'M0 6L6 -5H-6z',
}
