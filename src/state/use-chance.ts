import { useEffect, useState } from 'react'
import type { ChanceRequest } from '../../workers/api'
import type { ChanceCount } from '../domain/chance-of-extremes'
import { useServices } from './services'

/**
 * How many of some pairs chance puts beyond a line. Asked for after the pairs are painted; null until the answer for these
 * very pairs has come.
 * @param key stands for the pairs and their closes: another one asks anew
 */
export function useChance(key: string, requestOf: () => ChanceRequest): ChanceCount | null {
  const services = useServices()
  const [answer, setAnswer] = useState<{ readonly key: string; readonly chance: ChanceCount | null }>()
  useEffect(() => {
    let isCurrent = true
    services
      .worker()
      .chance(requestOf())
      .then((chance) => {
        if (isCurrent) setAnswer({ key, chance })
      }, reportError)
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the request
  }, [services, key])
  return answer?.key === key ? answer.chance : null
}
