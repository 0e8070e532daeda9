import { useEffect } from 'react'
import { Page, PageCard } from '../../ui/page'
import { LINE_EXPLANATIONS } from './chart-explanations'
import { END_EXPLANATIONS } from './end-explanations'
import { Explanation, type ExplanationProps } from './explanation'
import { PLACE_EXPLANATIONS } from './place-explanations'

const draw = (one: ExplanationProps) => <Explanation key={one.figure} {...one} />

/** Explains every figure of the app; a figure's name links to its section here. */
export function FiguresPage() {
  useSectionOfAddress()
  return (
    <Page
      title="What the figures mean"
      lead="They describe what a pair has done. Past swings promise nothing, and no figure here says what to do."
    >
      <PageCard title="Where the ratio stands">{PLACE_EXPLANATIONS.map(draw)}</PageCard>
      <PageCard title="How such places ended before">{END_EXPLANATIONS.map(draw)}</PageCard>
      <PageCard title="On the chart">{LINE_EXPLANATIONS.map(draw)}</PageCard>
    </Page>
  )
}

/** Leads to the section that the address names: the browser has looked for it before its code was here. */
function useSectionOfAddress(): void {
  useEffect(() => {
    const show = () => {
      const section = document.getElementById(location.hash.slice(1))
      if (!section) return
      section.scrollIntoView({ block: 'start' })
      section.focus({ preventScroll: true })
    }
    // The shell scrolls a new screen to its top first.
    const frame = requestAnimationFrame(show)
    window.addEventListener('hashchange', show)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('hashchange', show)
    }
  }, [])
}
