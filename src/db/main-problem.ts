import type { MetaRows } from './rows'

/**
 * The problem that the app says at the top; null: none. Missing daily closes are said by Radar, which alone lives of them.
 */
export const mainProblem = ({ daily_closes: _, ...problems }: MetaRows['sync_state']['problems']): string | null =>
  Object.values(problems)[0] ?? null
