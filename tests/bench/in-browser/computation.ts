/** A library's figures for a column of ratios; the deviations of full windows, the newest last. */
export interface Computed {
  readonly deviations: ArrayLike<number>
  /** The newest exponential average; null: the library has none. */
  readonly average: number | null
}

export interface Computation {
  readonly name: string
  /** Whether its deviation is of a sample (n - 1) or of a population (n). */
  readonly divisor: 'n - 1' | 'n'
  /** Average and deviation of the last `points` ratios at every point. */
  readonly compute: (ratios: Float64Array, points: number) => Computed
}
