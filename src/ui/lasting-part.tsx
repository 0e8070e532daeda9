import { useEffect, useState, type ComponentType } from 'react'
import { lazyPart } from './lazy-part'

/**
 * A part that stands as long as what is around it: its code is fetched once the first paint is out, and where it cannot
 * be had, asked for again with the next connection.
 */
export function lastingPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = lazyPart(load)
  return function LastingPart(props: P) {
    const painted = usePainted()
    const [missing, setMissing] = useState(false)

    useEffect(() => {
      if (!missing) return
      const again = () => setMissing(false)
      window.addEventListener('online', again)
      return () => window.removeEventListener('online', again)
    }, [missing])

    return painted && !missing ? <Part {...props} onMissing={() => setMissing(true)} /> : null
  }
}

function usePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), 0)
    return () => clearTimeout(timer)
  }, [])
  return painted
}
