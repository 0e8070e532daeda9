import { ALERT_SIDES, type Armed, judge, KIND_OF_SIDE, type Thresholds } from '../../src/domain/alerts'

/** `judge` for both thresholds of a widget, without margin and hold. */
export function judgeSides(ratio: number | null, thresholds: Thresholds, armed: Armed) {
  const judged = ALERT_SIDES.flatMap((side) => {
    const level = thresholds[side]
    if (level === null) return []
    const rule = { kind: KIND_OF_SIDE[side], level, margin: 0, holdMinutes: 0 }
    return [{ side, ...judge(rule, ratio, { armed: armed[side], dueAt: null }, 0) }]
  })
  const flags = Object.fromEntries(judged.map(({ side, state }) => [side, state.armed]))
  return {
    fired: judged.filter(({ verdict }) => verdict === 'fired').map(({ side }) => side),
    armed: { ...armed, ...flags } as Armed,
  }
}
