import type { RangeEnd } from './extreme'

/** Memory of a pair from one judgement to the next. */
export interface ExtremeState {
  /** The side on which it stands at an extreme; null: on none. */
  readonly stands: RangeEnd | null
  /** Numbers of the UTC days on which the sides last fired; null: never. */
  readonly firedOn: Readonly<Record<RangeEnd, number | null>>
}

/**
 * Judges where a pair stands. A side fires when the pair comes to it, once a UTC day at most; it is armed again as soon as the
 * pair has left it. A pair that was never judged fires nothing: its badge is there already.
 * @param before null: never judged
 * @param day number of the UTC day
 * @returns `state`: the same object if nothing has changed
 */
export function judgeExtreme(
  before: ExtremeState | null,
  stands: RangeEnd | null,
  day: number,
): { readonly state: ExtremeState; readonly fires: RangeEnd | null } {
  if (before === null) return { state: { stands, firedOn: { high: null, low: null } }, fires: null }
  if (before.stands === stands) return { state: before, fires: null }
  const fires = stands === null || before.firedOn[stands] === day ? null : stands
  const firedOn = fires === null ? before.firedOn : { ...before.firedOn, [fires]: day }
  return { state: { stands, firedOn }, fires }
}
