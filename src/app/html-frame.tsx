import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { EmptyState } from '../features/dashboard/message-state'
import { Shell } from '../features/shell/shell'
import { type Services, ServicesContext } from '../state/services'
import { DESK, LOW, WIDE } from '../ui/browser-state'
import { DASHBOARD, OUTSIDE } from './addresses'

/** Rendered while nothing is known: neither an account nor a database is asked for. */
const NO_SERVICES = { commands: {}, engine: {} } as unknown as Services

/** The layouts of the shell: when each is used, the first that fits, and which media queries of the shell hold in it. */
const LAYOUTS = [
  { media: `${DESK}, ${WIDE} and (not ${LOW})`, holding: [DESK, WIDE] },
  { media: LOW, holding: [LOW] },
  { media: 'all', holding: [] },
]

export interface HtmlFrame {
  /** The shell with an empty main, in each of its layouts. */
  readonly shells: readonly { readonly media: string; readonly html: string }[]
  /** The dashboard of somebody who has no pair. */
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
    welcome: render(<EmptyState onAdd={() => undefined} />),
    outside: OUTSIDE,
  }
}

const render = (element: React.ReactNode): string =>
  renderToStaticMarkup(
    <ServicesContext value={NO_SERVICES}>
      <Router ssrPath={DASHBOARD}>{element}</Router>
    </ServicesContext>,
  )
