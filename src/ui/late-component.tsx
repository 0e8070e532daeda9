import { Component, type ComponentType, createContext, type ReactNode, startTransition, use } from 'react'
import { toError } from '../domain/error-message'

export interface MissingProps {
  /** The component could not be loaded or drawn, and shows nothing. Rendering it anew tries again. */
  readonly onMissing: () => void
}

/** Awaited by each late component before it is first drawn, beside its own code; the app has it open the local database. */
export const BeforeLate = createContext<() => Promise<unknown>>(() => Promise.resolve())

interface LateOptions<P> {
  /**
   * The end of code that cannot be loaded: `throw` makes it an error of the screen around it; `notice` shows nothing and calls
   * `onMissing`; `hide`, for a part that lasts as long as its screen, shows nothing and asks again with the next connection.
   * The last two end a part that throws while it is drawn as well. A component mounted anew always asks again.
   */
  readonly onFailure: 'throw' | 'notice' | 'hide'
  readonly whileLoading?: ComponentType<P>
}

type LateState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly Loaded: ComponentType }
  | { readonly kind: 'failed'; readonly error: Error }

interface LateProps {
  readonly first: LateState
  readonly load: (ready: Promise<unknown>) => Promise<ComponentType>
  readonly onFailure: LateOptions<object>['onFailure']
  readonly onMissing: (() => void) | undefined
  readonly render: (Loaded: ComponentType) => ReactNode
  readonly whileLoading: ReactNode
}

/**
 * A component whose code is fetched when it is first shown; one that hides its failure, after the paint. Once fetched, it is
 * drawn at once wherever it appears. Not with React.lazy, which keeps a failed load for the life of the page, and whose
 * Suspense, once it has shown its fallback, shows what it waited for 300 ms later at the earliest.
 */
export function lateComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  options: LateOptions<P> & { readonly onFailure: 'notice' },
): ComponentType<P & MissingProps>
export function lateComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  options?: LateOptions<P>,
): ComponentType<P>
export function lateComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { onFailure, whileLoading: WhileLoading }: LateOptions<P> = { onFailure: 'hide' },
) {
  let known: ComponentType | undefined
  const loadOnce = async (ready: Promise<unknown>) => {
    const [Loaded] = await Promise.all([load(), ready])
    return (known ??= Loaded as ComponentType)
  }
  return function LateComponent({ onMissing, ...rest }: P & Partial<MissingProps>) {
    const props = rest as unknown as P
    return (
      <Late
        first={known === undefined ? { kind: 'loading' } : { kind: 'loaded', Loaded: known }}
        load={loadOnce}
        onFailure={onFailure}
        onMissing={onMissing}
        render={(Loaded) => <Loaded {...props} />}
        whileLoading={WhileLoading && <WhileLoading {...props} />}
      />
    )
  }
}

/** Closes what waits for code that could not be loaded; the app has it tell the user as well. */
export const CloseMissing = createContext((close: () => void) => close())

/** A part that the user opens: if its code cannot be loaded or it throws, it is closed, and the user is told. */
export function lateDialog<P extends object>(
  load: () => Promise<ComponentType<P>>,
  options?: Pick<LateOptions<P>, 'whileLoading'>,
) {
  const Dialog = lateComponent(load, { ...options, onFailure: 'notice' })
  return function LateDialog(props: P & { readonly onClose: () => void }) {
    const closeMissing = use(CloseMissing)
    return <Dialog {...props} onMissing={() => closeMissing(props.onClose)} />
  }
}

class Late extends Component<LateProps, LateState> {
  static override contextType = BeforeLate
  declare context: React.ContextType<typeof BeforeLate>
  override state = this.props.first
  private mounted = false

  static getDerivedStateFromError(error: unknown): LateState {
    return { kind: 'failed', error: toError(error) }
  }

  override componentDidMount() {
    this.mounted = true
    if (this.state.kind !== 'loading') return
    if (this.props.onFailure === 'hide') setTimeout(() => this.mounted && void this.fetch(), 0)
    else void this.fetch()
  }

  override componentDidCatch() {
    // React has reported the error itself.
    this.miss()
  }

  override componentWillUnmount() {
    this.mounted = false
    window.removeEventListener('online', this.retry)
  }

  override render() {
    const { state, props } = this
    switch (state.kind) {
      case 'loading':
        return props.whileLoading
      case 'loaded':
        return props.render(state.Loaded)
      case 'failed':
        if (props.onFailure === 'throw') throw state.error
        return null
    }
  }

  private async fetch() {
    try {
      const Loaded = await this.props.load(this.context())
      // Fifty cards have parts that come late, which are rendered in slices.
      if (this.mounted) startTransition(() => this.setState({ kind: 'loaded', Loaded }))
    } catch (error) {
      if (this.props.onFailure !== 'throw') reportError(error)
      if (!this.mounted) return
      this.setState({ kind: 'failed', error: toError(error) })
      this.miss()
    }
  }

  private miss() {
    this.props.onMissing?.()
    if (this.props.onFailure === 'hide') window.addEventListener('online', this.retry, { once: true })
  }

  private readonly retry = () => {
    this.setState({ kind: 'loading' })
    void this.fetch()
  }
}
