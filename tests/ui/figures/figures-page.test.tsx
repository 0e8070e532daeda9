import { render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { FiguresPage } from '../../../src/features/figures/figures-page'
import type { ExplainedFigure } from '../../../src/ui/figure-link'

/** The compiler refuses a figure that is not listed here. */
const FIGURES: Readonly<Record<ExplainedFigure, string>> = {
  closes: 'Daily close',
  percentile: 'Percentile, such as 96th',
  z: 'Deviations, such as +1.6σ',
  'half-life': 'Half-life',
  reversion: 'Reverting, weakly reverting, trending',
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

  test('the figures beside a drawn example are those of its line', () => {
    render(<FiguresPage />)
    const percentile = screen.getByRole('region', { name: 'Percentile, such as 96th' })
    expect(within(percentile).getByRole('img').getAttribute('aria-label')).toBe(
      '90 daily ratios; the current one is higher than 86 of them',
    )
    expect(percentile.textContent).toContain(
      'On 86 of 90 days the ratio closed lower than it stands now: the 96th percentile.',
    )
    expect(screen.getByRole('region', { name: 'Deviations, such as +1.6σ' }).textContent).toContain(
      'The ratio stands +1.6σ from its average.',
    )
  })

  test('no explanation recommends a trade or promises anything', () => {
    const { container } = render(<FiguresPage />)
    expect(container.textContent).not.toMatch(/\b(will|should|buy|recommend|profit|guarantee|signal to)\b/i)
    expect(container.textContent).toContain('Past swings promise nothing')
  })
})
