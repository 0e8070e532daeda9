/** Rows of text as columns, the first flush left, the others flush right. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const lines = all.map((row) =>
    widths.map((width, column) => (column === 0 ? (row[0] ?? '').padEnd(width) : (row[column] ?? '').padStart(width))),
  )
  return lines.map((cells) => cells.join('   ')).join('\n')
}

/** Milliseconds with the digits that mean something. */
export const ms = (value: number): string => value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 1)
