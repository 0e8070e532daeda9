/** A kind of violation, and the shortest history found that shows it. */
export interface ModelViolation {
  readonly kind: string
  readonly times: number
  readonly seed: number
  readonly message: string
  readonly config: unknown
  readonly operations: number
  readonly trace: readonly string[]
}
export function playModel(count: number, first?: number, without?: readonly string[]): readonly ModelViolation[]
