import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { EmptyBoard } from '../features/dashboard/message-state'
import { Shell } from '../features/shell/shell'
import { type Services, ServicesContext } from '../state/services'
import { DESK, LOW, WIDE } from '../ui/browser-state'
import { DASHBOARD, OUTSIDE } from './addresses'

/** The frame reads neither an account nor a database. */
const NO_SERVICES = { commands: {}, engine: {} } as unknown as Services

/** The layouts of the shell, of which the first that fits is used, and the shell's media queries that hold in each. */
const LAYOUTS = [
  { media: `${DESK}, ${WIDE} and (not ${LOW})`, holding: [DESK, WIDE] },
  { media: LOW, holding: [LOW] },
  { media: 'all', holding: [] },
]

export interface HtmlFrame {
  /** The shell with an empty main, in each of its layouts. */
  readonly shells: readonly { readonly media: string; readonly html: string }[]
  /** The dashboard of a user without pairs. */
  readonly welcome: string
  readonly outside: readonly string[]
}

/**
 * The frame that is painted before the app's scripts have come, as HTML of the components themselves. The build runs this in
 * Node and writes the result into index.html (server/cli/vite-plugins.mjs); no browser loads it.
 */
export function renderHtmlFrame(): HtmlFrame {
  return {
    shells: LAYOUTS.map(({ media, holding }) => {
      globalThis.matchMedia = (query) => ({ matches: holding.includes(query) }) as MediaQueryList
      return { media, html: render(<Shell>{null}</Shell>) }
    }),
    welcome: render(<EmptyBoard onAdd={() => undefined} />),
    outside: OUTSIDE,
  }
}

const render = (element: React.ReactNode): string =>
  renderToStaticMarkup(
    <ServicesContext value={NO_SERVICES}>
      <Router ssrPath={DASHBOARD}>{element}</Router>
    </ServicesContext>,
  )
