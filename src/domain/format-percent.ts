import { withSign } from './format-number'

/** A change as signed per cent: 0.0123 is "+1.23%"; "n.a." where it is not known. */
export const formatPercent = (fraction: number | null): string =>
  fraction === null || !Number.isFinite(fraction * 100) ? 'n.a.' : `${withSign(fraction * 100, 2)}%`
