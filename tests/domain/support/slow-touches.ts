import type { RatioSeries } from '../../../src/domain/ratio-series'
import type { touchesOf } from '../../../src/domain/touches'

/** Reference by another way: from each point that reaches the threshold, searched forward for the point that is back. */
export function slowTouches(
  { times, ratios }: RatioSeries,
  side: 'high' | 'low',
  threshold: number,
): ReturnType<typeof touchesOf> {
  const points = Array.from(times, (time, index) => ({ time, ratio: ratios[index]! }))
  const mean = points.reduce((sum, { ratio }) => sum + ratio, 0) / points.length
  const isBeyond = ({ ratio }: { ratio: number }) => (side === 'high' ? ratio >= threshold : ratio <= threshold)
  const isBack = (point: { ratio: number }) =>
    !isBeyond(point) && (side === 'high' ? point.ratio <= mean : point.ratio >= mean)
  const episodes: { begin: number; end: number | null; seen: boolean }[] = []
  for (let from = 0; from < points.length;) {
    const start = points.findIndex((point, index) => index >= from && isBeyond(point))
    if (start === -1) break
    const end = points.findIndex((point, index) => index > start && isBack(point))
    episodes.push({ begin: points[start]!.time, end: end === -1 ? null : points[end]!.time, seen: start > 0 })
    from = end === -1 ? points.length : end
  }
  const counted = episodes.filter(({ seen }) => seen)
  const lengths = counted
    .flatMap(({ begin, end }) => (end === null ? [] : [end - begin]))
    .toSorted((one, other) => one - other)
  const middle = (lengths.length - 1) / 2
  const stretches = points.slice(0, -1).map((point, index) => ({ point, length: times[index + 1]! - point.time }))
  const total = stretches.reduce((sum, { length }) => sum + length, 0)
  const inside = stretches.filter(({ point }) => isBeyond(point)).reduce((sum, { length }) => sum + length, 0)
  return {
    count: counted.length,
    cameBack: lengths.length,
    medianBack: lengths.length === 0 ? null : (lengths[Math.floor(middle)]! + lengths[Math.ceil(middle)]!) / 2,
    last: counted.at(-1)?.begin ?? null,
    isUnderWay: counted.at(-1)?.end === null,
    shareBeyond: total > 0 ? inside / total : Number(points[0] !== undefined && isBeyond(points[0])),
  }
}
