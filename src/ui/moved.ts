/** `keys` with the one at `from` moved to `to`; both are clamped to the list. */
export function moved<T>(keys: readonly T[], from: number, to: number): readonly T[] {
  const rest = [...keys]
  const taken = rest.splice(from, 1)
  rest.splice(Math.max(0, to), 0, ...taken)
  return rest
}
