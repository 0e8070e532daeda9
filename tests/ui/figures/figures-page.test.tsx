import { render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { FiguresPage } from '../../../src/features/figures/figures-page'
import type { ExplainedFigure } from '../../../src/ui/figure-link'

/** The compiler refuses a figure that is not listed here. */
const FIGURES: Readonly<Record<ExplainedFigure, string>> = {
  closes: 'Daily close',
  ages: 'How old a price or a close is',
  percentile: 'Percentile, such as 96th',
  z: 'Deviations, such as +1.6σ',
  'half-life': 'Half-life',
  reversion: 'Swinging or wandering',
  legs: 'Which coin moved',
  pegged: 'Pegged pairs, and coins of the same money',
  chance: 'How many stand there by chance',
  correlation: 'Correlation',
  excursions: 'How such highs and lows ended',
  touches: 'How often a threshold was reached',
  range: 'Range bar: 5 %, median, 95 %',
  bands: 'Moving average and bands',
  period: 'Estimated oscillation period',
  backtest: 'Backtest',
  'break-even': 'Break-even of a swap there and back',
}

describe('What the figures mean', () => {
  const before = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollIntoView')
  afterEach(() => {
    window.history.replaceState(null, '', '/')
    if (before !== undefined) Object.defineProperty(Element.prototype, 'scrollIntoView', before)
  })

  test('every figure that a link can name has a section with that id and its name', () => {
    const { container } = render(<FiguresPage />)
    const sections = [...container.querySelectorAll('section[id]')]
    expect(
      Object.fromEntries(sections.map((section) => [section.id, section.querySelector('h3')?.textContent])),
    ).toEqual(FIGURES)
  })

  test('the section that the address names gets the focus, also when the address changes', async () => {
    const scrolled: string[] = []
    Element.prototype.scrollIntoView = function scrollIntoView() {
      scrolled.push(this.id)
    }
    window.history.replaceState(null, '', '/figures#half-life')
    render(<FiguresPage />)
    await waitFor(() => expect(document.activeElement?.id).toBe('half-life'))
    window.history.replaceState(null, '', '/figures#z')
    window.dispatchEvent(new HashChangeEvent('hashchange'))
    expect(document.activeElement?.id).toBe('z')
    expect(scrolled.at(-1)).toBe('z')
  })

  test('every figure has a drawn example with a sentence beside it', () => {
    const { container } = render(<FiguresPage />)
    const sections = [...container.querySelectorAll('section[id]')]
    const bare = sections.filter((one) => one.querySelector('svg[role=img] + figcaption') === null)
    expect(bare.map(({ id }) => id)).toEqual([])
    expect(container.innerHTML).not.toContain('NaN')
  })

  const textOf = (name: string) => screen.getByRole('region', { name }).textContent.replaceAll('\u00A0', ' ')

  test('the figures beside a drawn example are those of its line', () => {
    render(<FiguresPage />)
    const percentile = screen.getByRole('region', { name: FIGURES.percentile })
    expect(within(percentile).getByRole('img').getAttribute('aria-label')).toBe(
      '90 daily ratios; the current one is higher than 86 of them',
    )
    const said = {
      closes: 'One close stood 30 % higher',
      ages: 'Of the 90 days before this price 80 are known.',
      percentile: 'On 86 of 90 days the ratio closed lower than it stands now: the 96th percentile.',
      z: 'The ratio stands +1.6σ from its average of 90 days.',
      legs: 'A is 30.2 % above its average of 90 days, B 3.1 % above.',
      pegged: 'stands +2.9σ from its average, and yet only 0.09 % away: less than the 0.6 %',
      chance: 'nine of ten have 1 to 7 (shaded). In the order as it was there are 5.',
      excursions: 'This one took 18 days, and went 6.4 % further first.',
      touches: 'Reached 3 times',
      period: 'Two peaks, 34 days apart.',
      backtest: '5 swaps at a cost of 0.3 % each: 19.9 % more of A.',
      'break-even': '28.00 × 0.997 × 0.997 = 27.83, 0.60 % below the swap.',
    } as const
    for (const [figure, words] of Object.entries(said))
      expect(textOf(FIGURES[figure as ExplainedFigure])).toContain(words)
  })

  test('shares of real pairs and of wandering ratios are said beside the figures that they put right', () => {
    render(<FiguresPage />)
    expect(textOf(FIGURES.z)).toContain(
      'About one pair in seven stands beyond 2 at a time, and on some days one in three: a ratio that only wanders does so as often. Beyond 3 it is about one in 30.',
    )
    expect(textOf(FIGURES.percentile)).toContain(
      'Among the outer 5 % of its days a pair is not one day in ten but about one in four, because ratios wander.',
    )
    expect(textOf(FIGURES.excursions)).toContain('44 of 100 with 90 days')
    expect(textOf(FIGURES.reversion)).toContain('6 of 100 swung again in the next 90; of all others 7 of 100.')
  })

  test('no explanation recommends a trade or promises anything', () => {
    const { container } = render(<FiguresPage />)
    expect(container.textContent).not.toMatch(
      /\b(will|should|buy|recommend|profit|guarantee|signal to|trending|reverting)\b/i,
    )
    expect(container.textContent).not.toMatch(/chance explains|drawn back/i)
    expect(container.textContent).toContain('Past swings promise nothing')
  })
})
