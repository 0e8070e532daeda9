import { useEffect, useState } from 'react'
import { type EngineClient, useServices } from '../../state/services'

export type Loading = 'loading' | 'loaded' | 'failed'

const load = async (engine: EngineClient): Promise<Loading> =>
  (await engine.call('currentPolicies', {})).ok ? 'loaded' : 'failed'

/** Has the policies in force loaded, texts and all, and says what came of it; the function tries again. */
export function useLoadPolicies(): readonly [Loading, () => void] {
  const { engine } = useServices()
  const [state, setState] = useState<Loading>('loading')
  useEffect(() => void load(engine).then(setState), [engine])

  const again = () => {
    setState('loading')
    void load(engine).then(setState)
  }
  return [state, again]
}
