import type uPlot from 'uplot'

interface Size {
  /** How many points there are, the first at time 0. */
  readonly count: number
  /** Milliseconds between two. */
  readonly step: number
}

/** The part of uPlot that the handling of windows uses: times, a scale that is set, and an element 1,000 px wide. */
export function fakePlot({ count, step }: Size, over?: HTMLElement) {
  const times = Float64Array.from({ length: count }, (_, i) => i * step)
  const x = { min: 0, max: (count - 1) * step }
  const u = {
    data: [times],
    scales: { x },
    over,
    cursor: {},
    posToVal: (left: number) => x.min + (left / 1000) * (x.max - x.min),
    valToPos: (time: number) => ((time - x.min) / (x.max - x.min)) * 1000,
    valToIdx: (time: number) => Math.max(0, Math.min(count - 1, Math.round(time / step))),
    setScale: (_key: string, window: { min: number; max: number }) => Object.assign(x, window),
    setCursor: () => undefined,
    batch: (act: () => void) => act(),
  } as unknown as uPlot
  return { u, view: x }
}
