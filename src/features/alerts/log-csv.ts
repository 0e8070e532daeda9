import type { AlertRow } from '../../db/rows'
import { UNJUDGED } from '../../domain/alerts'
import { kindWords } from '../../domain/alert-notification'
import { textCell } from '../../domain/csv-cell'
import { wayWords } from '../../domain/way-alerts'
import { fateWords } from './fate-words'

const HEADINGS = ['Time', 'Pair', 'Alert', 'Ratio', 'Level', 'Back at', 'Delivery']

const iso = (at: number): string => new Date(at).toISOString()

/** The alerts as a table of comma-separated values, in the order given. @param now milliseconds */
export function logCsv(rows: readonly AlertRow[], now: number): string {
  const lines = rows.map((row) => {
    const isOfWay = wayWords(row) !== undefined
    return [
      iso(row.at),
      isOfWay ? '' : textCell(row.pair),
      textCell(row.kind === undefined ? `${row.side} threshold` : kindWords(row)),
      ...(isOfWay || row.kind === UNJUDGED ? ['', ''] : [String(row.ratio), String(row.threshold)]),
      row.back_at === undefined ? '' : iso(row.back_at),
      textCell(fateWords(row, now).join('; ')),
    ].join(',')
  })
  return [HEADINGS.join(','), ...lines, ''].join('\n')
}
