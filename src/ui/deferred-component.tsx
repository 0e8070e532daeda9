import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { toError } from '../domain/error-message'

export interface MissingProps {
  /** The component could not be loaded or drawn, and shows nothing. Rendering it anew tries again. */
  readonly onMissing?: () => void
}

interface LoaderProps {
  /** The component if it is loaded already. */
  readonly ready: ComponentType | undefined
  readonly load: () => Promise<ComponentType>
  readonly onMissing: () => void
  readonly render: (Loaded: ComponentType) => ReactNode
  /** Shown while the code is fetched. */
  readonly meanwhile: ReactNode
}
interface LoaderState {
  readonly Loaded: ComponentType | undefined
  readonly broken: boolean
}

/**
 * A component whose code is fetched when it is first rendered. Its screen goes on if the code cannot be loaded.
 * @param Meanwhile shown while the code is fetched
 */
export function optionalComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType<P>,
) {
  let known: ComponentType<P> | undefined
  const loadOnce = async () => (known ??= await load())
  return function OptionalComponent({ onMissing, ...props }: P & MissingProps) {
    return (
      <Loader
        ready={known as ComponentType | undefined}
        load={loadOnce as () => Promise<ComponentType>}
        onMissing={() => onMissing?.()}
        render={(Loaded) => <Loaded {...props} />}
        meanwhile={Meanwhile && <Meanwhile {...(props as unknown as P)} />}
      />
    )
  }
}

class Loader extends Component<LoaderProps, LoaderState> {
  override state: LoaderState = { Loaded: this.props.ready, broken: false }
  private mounted = false

  static getDerivedStateFromError(): Partial<LoaderState> {
    return { broken: true }
  }

  override componentDidMount() {
    this.mounted = true
    if (this.state.Loaded === undefined) void this.fetch()
  }

  override componentDidCatch() {
    // React has reported the error itself.
    this.props.onMissing()
  }

  override componentWillUnmount() {
    this.mounted = false
  }

  override render() {
    const { Loaded, broken } = this.state
    if (broken) return null
    return Loaded === undefined ? this.props.meanwhile : this.props.render(Loaded)
  }

  private async fetch() {
    try {
      const Loaded = await this.props.load()
      if (this.mounted) this.setState({ Loaded })
    } catch (error) {
      reportError(error)
      if (!this.mounted) return
      this.setState({ broken: true })
      this.props.onMissing()
    }
  }
}

/**
 * A lasting component: its code is fetched after the first paint, and after a failure again with the next connection. Once
 * fetched, it is drawn at once wherever it appears.
 */
export function deferredComponent<P extends object>(load: () => Promise<ComponentType<P>>) {
  let isLoaded = false
  const Optional = optionalComponent(async () => {
    const Loaded = await load()
    isLoaded = true
    return Loaded
  })
  return function DeferredComponent(props: P) {
    const [painted, setPainted] = useState(isLoaded)
    const [missing, setMissing] = useState(false)

    useEffect(() => {
      const timer = setTimeout(() => setPainted(true), 0)
      return () => clearTimeout(timer)
    }, [])
    useEffect(() => {
      if (!missing) return
      const again = () => setMissing(false)
      window.addEventListener('online', again)
      return () => window.removeEventListener('online', again)
    }, [missing])

    return painted && !missing ? <Optional {...props} onMissing={() => setMissing(true)} /> : null
  }
}

/**
 * A screen whose code is fetched when it is first shown. Not with React.lazy: a Suspense that has shown its fallback shows what
 * it waited for 300 ms later at the earliest. Code that cannot be loaded is an error of the screen.
 */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>, Meanwhile?: ComponentType) {
  let known: ComponentType<P> | undefined
  return function LazyScreen(props: P) {
    const [Loaded, setLoaded] = useState(() => known)
    // Not asked whether it is known by now: code that another instance asked for can come between render and effect.
    useEffect(() => {
      if (Loaded !== undefined) return
      load().then(
        (loaded) => {
          known = loaded
          setLoaded(() => loaded)
        },
        (error: unknown) =>
          setLoaded(() => {
            throw toError(error)
          }),
      )
    }, [Loaded])
    return Loaded === undefined ? Meanwhile && <Meanwhile /> : <Loaded {...props} />
  }
}
