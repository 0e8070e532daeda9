import { expect } from 'vitest'

/** Expects of `of` that it makes each row's last cell from those before it. A failure shows the rows that differ. */
export function expectRows<Input extends readonly unknown[], Output>(
  of: (...input: Input) => Output,
  rows: readonly (readonly [...Input, Output])[],
): void {
  const inputOf = (row: readonly [...Input, Output]) => row.slice(0, -1) as unknown as Input
  expect(rows.map((row) => [...inputOf(row), of(...inputOf(row))])).toEqual(rows)
}
