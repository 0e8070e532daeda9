import { Page } from '../../ui/page'

/** Explains every figure of the app. */
export function FiguresPage() {
  return (
    <Page title="What the figures mean" lead="Past swings promise nothing. These figures describe them.">
      {null}
    </Page>
  )
}
