import { useState } from 'react'
import type { Period } from '../../domain/period'

/** The period on the screen: what was chosen here, until the parent says something else. */
export function useFollowedPeriod(said: Period, tell: (period: Period) => void) {
  const [current, setCurrent] = useState({ said, period: said })
  if (current.said !== said) setCurrent({ said, period: said })
  return {
    period: current.said === said ? current.period : said,
    choose: (period: Period) => {
      setCurrent({ said, period })
      tell(period)
    },
  }
}
