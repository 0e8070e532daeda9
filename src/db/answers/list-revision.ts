import type { ListStep, OwnerRow } from '../rows'

type Known = Pick<OwnerRow, 'list_revision' | 'list_steps' | 'told_revision'>

/** Out-of-turn answers remembered; a change whose predecessor is further away is made up for by a pull. */
const MAX_STEPS = 20

/**
 * The revision held after a change of this device was answered, if no other device changed the list in between. Answers to
 * changes sent side by side come in any order: a step waits until the one before it has come.
 * @param step null: the server does not say (an earlier version, a repeated answer)
 */
export function revisionAfter(known: Known, step: ListStep | null): Known {
  const { list_revision, list_steps = [], told_revision = null } = known
  if (step === null || list_revision == null) return {}
  let held = list_revision
  let isReached = told_revision === held
  const waiting = [...list_steps, step]
  for (;;) {
    const next = waiting.findIndex(([before]) => before === held)
    if (next === -1) break
    held = waiting.splice(next, 1)[0]![1]
    isReached ||= told_revision === held
  }
  return {
    list_revision: held,
    list_steps: waiting.slice(-MAX_STEPS),
    // The echo of a change may come before its answer, and further changes after both.
    told_revision: isReached ? null : told_revision,
  }
}

/** True if the stream has named a revision that is neither held here nor pulled since. */
export const isOutdated = ({ told_revision, list_revision }: OwnerRow): boolean =>
  told_revision != null && told_revision !== list_revision

/**
 * The revision that counts as named after a kept pull: one named while the pull was under way may be newer than its rows.
 * @param begun what was named when the pull began
 */
export const toldAfterPull = ({ told_revision = null }: OwnerRow, begun: number | null, pulled: number | null) =>
  told_revision === begun || told_revision === pulled ? null : told_revision
