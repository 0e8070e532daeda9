import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react'

export interface MissingProps {
  /** It could not be loaded or drawn, and shows nothing. Rendering it anew tries again. */
  readonly onMissing?: () => void
}

interface PartProps {
  /** The component if it is here already. */
  readonly ready: ComponentType | undefined
  readonly load: () => Promise<ComponentType>
  readonly onMissing: () => void
  readonly render: (Loaded: ComponentType) => ReactNode
  /** Stands in for it while its code is fetched. */
  readonly meanwhile: ReactNode
}
interface PartState {
  readonly Loaded: ComponentType | undefined
  readonly broken: boolean
}

/**
 * A component whose code is fetched when it is first rendered. Nothing around it suffers when it cannot be had: a dialog
 * that does not open is no reason to take its screen down.
 * @param Meanwhile stands in for it while its code is fetched; without one, nothing does
 */
export function optionalComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType<P>,
) {
  let known: ComponentType<P> | undefined
  const loadOnce = async () => (known ??= await load())
  return function OptionalComponent({ onMissing, ...props }: P & MissingProps) {
    return (
      <Part
        ready={known as ComponentType | undefined}
        load={loadOnce as () => Promise<ComponentType>}
        onMissing={() => onMissing?.()}
        render={(Loaded) => <Loaded {...props} />}
        meanwhile={Meanwhile && <Meanwhile {...(props as unknown as P)} />}
      />
    )
  }
}

class Part extends Component<PartProps, PartState> {
  override state: PartState = { Loaded: this.props.ready, broken: false }
  private mounted = false

  static getDerivedStateFromError(): Partial<PartState> {
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
 * A part that stands as long as what is around it: its code is fetched once the first paint is out, and where it cannot
 * be had, asked for again with the next connection.
 */
export function deferredComponent<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = optionalComponent(load)
  return function DeferredComponent(props: P) {
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
