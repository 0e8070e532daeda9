import type { MetaRows, Topic } from './rows'

/** The topic whose problem one screen says by itself: Radar alone lives of daily closes. */
const SAID_BY_ITS_SCREEN: Topic = 'daily_closes'

/** The problem that the app says at the top; null: none. */
export function mainProblem(problems: MetaRows['sync_state']['problems']): string | null {
  const said = (Object.keys(problems) as Topic[]).find((topic) => topic !== SAID_BY_ITS_SCREEN)
  return said === undefined ? null : (problems[said] ?? null)
}
