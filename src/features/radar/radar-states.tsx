import { atom, useAtomValue, useSetAtom } from 'jotai'
import { CloudOff, Radar } from 'lucide-react'
import { MISSING, withDecimals } from '../../domain/format-number'
import { utcDayOf } from '../../domain/daily-matrix'
import { HOUR } from '../../domain/granularity'
import type { StatisticWindow } from '../../domain/pair-statistics'
import { radarCoins } from '../../domain/tier-limits'
import { accountAtom } from '../../state/account'
import { openDialogAtom } from '../../state/open-dialogs'
import { boardAtom, nowAtom, syncStateAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { useTierLimits } from '../../state/server-settings'
import { useOnline } from '../../ui/browser-state'
import { Button, LinkButton } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { FigureLink } from '../../ui/figure-link'
import { Skeleton } from '../../ui/skeleton'
import stack from '../../ui/stack.module.css'
import { dayWords } from '../../ui/utc-day'
import { VisuallyHidden } from '../../ui/visually-hidden'
import type { RadarData } from './radar-data'
import type { RadarMarket } from './radar-market'
import { RANKED_IN, type RadarQuery, widestScope } from './radar-query'
import { frozenInScope, hiddenPairs, type Loosening, loosenings } from './radar-rows'
import styles from './radar-states.module.css'
import { frozenCoinWords, pairsWords } from './radar-words'

/** Why there is nothing to show, and the way on. */
export function NoDataState({ data }: { readonly data: Extract<RadarData, { kind: 'none' | 'failed' }> }) {
  const { engine } = useServices()
  const online = useOnline()
  const sync = useAtomValue(syncStateAtom)
  const isCutOff = !online || sync?.unreachable_since != null
  const [title, text] = reasonOf(data, online, isCutOff, sync?.problems.daily_closes)
  return (
    <EmptyState icon={isCutOff ? CloudOff : Radar} labelledBy="radar-state" className={styles.state}>
      <h2 id="radar-state" role="status">
        {title}
      </h2>
      <p className={styles.hint}>{text}</p>
      <Button onClick={() => (data.kind === 'failed' ? location.reload() : engine.requestSync('command'))}>
        Try again
      </Button>
    </EmptyState>
  )
}

/** @param problem the server's own words */
function reasonOf(
  data: Extract<RadarData, { kind: 'none' | 'failed' }>,
  online: boolean,
  isCutOff: boolean,
  problem: string | undefined,
) {
  if (data.kind === 'failed') return ['The figures could not be computed', data.message]
  const once = 'Radar needs a year of daily closes, which this device keeps from the first visit on.'
  if (!online) return ['No daily closes yet', `You are offline. ${once}`]
  if (isCutOff) return ['No daily closes yet', `The server does not answer. ${once}`]
  if (problem !== undefined) return ['No daily closes yet', problem]
  return ['Waiting for the daily closes', `They come with the next answer of the server. ${once}`]
}

/** The server has a day's closes so soon after its end. */
const CLOSES_DELAY = 2 * HOUR
const newestDayAtom = atom((get) => utcDayOf(get(nowAtom) - CLOSES_DELAY) - 1)

interface ClosesLineProps {
  readonly market: RadarMarket
  readonly count: number
  readonly window: StatisticWindow
}

/** How many pairs are listed, and up to which day their closes are known. */
export function ClosesLine({ market, count, window }: ClosesLineProps) {
  const online = useOnline()
  const newest = useAtomValue(newestDayAtom)
  const lastDay = market.firstDay + market.days - 1
  const isStale = lastDay < newest
  return (
    <p className={styles.line} data-stale={isStale || undefined}>
      {pairsWords(count)} · {window} days · <FigureLink figure="closes">Closes</FigureLink> up to{' '}
      {market.days > 0 ? dayWords(lastDay) : MISSING}
      {isStale && `; the newest day ${online ? 'has not come yet' : 'comes with the next connection'}`}
    </p>
  )
}

/** Coins by market cap of the user's tier, and of Premium if that has more; null: not known yet. */
function useTierCoins() {
  const limits = useAtomValue(boardAtom)?.limits
  const premium = useTierLimits()?.premium
  const hasPremium = useAtomValue(accountAtom)?.account === 'premium'
  if (limits === undefined) return null
  const ranked = radarCoins(limits)
  const offered = premium === undefined ? ranked : radarCoins(premium)
  return { ranked, offered: !hasPremium && offered > ranked ? offered : null }
}

/** Says that Premium ranks more coins, with the way there. */
function PremiumOffer({ offered }: { readonly offered: number | null }) {
  const openDialog = useSetAtom(openDialogAtom)
  if (offered === null) return null
  return (
    <>
      {' '}
      Premium ranks {offered}. <LinkButton onClick={() => openDialog({ kind: 'upgrade' })}>See Premium</LinkButton>
    </>
  )
}

/** The tier's limit, above the list of a user who asks for more coins than it has. */
export function ScopeNote({ query }: { readonly query: RadarQuery }) {
  const tier = useTierCoins()
  if (tier === null || (RANKED_IN[query.scope] ?? 0) <= tier.ranked) return null
  return (
    <p className={styles.note}>
      Your plan ranks the {tier.ranked} best coins by market cap, and all of your own.
      <PremiumOffer offered={tier.offered} />
    </p>
  )
}

/** The same at the end of every list, while Premium has more. */
export function TierNote() {
  const tier = useTierCoins()
  if (tier === null || tier.offered === null) return null
  return (
    <p className={styles.tier}>
      The {tier.ranked} best coins by market cap, and all of your own.
      <PremiumOffer offered={tier.offered} />
    </p>
  )
}

/** Coins named of those without trading. */
const NAMED_COINS = 3

/** Which pairs are left out of the list, with the way to those that can be shown. */
export function HiddenLine({ market, query, onChange }: EmptyListProps) {
  const hidden = hiddenPairs(market, query)
  const words = [
    ...(hidden.pegged > 0
      ? [hidden.pegged === 1 ? '1 pegged pair' : `${withDecimals(hidden.pegged, 0)} pegged pairs`]
      : []),
    ...(hidden['same money'] > 0 ? [`${withDecimals(hidden['same money'], 0)} of the same money`] : []),
  ]
  const frozen = frozenInScope(market, query).map((row) => frozenCoinWords(market, row))
  return (
    <>
      {words.length > 0 && (
        <p className={styles.line}>
          {words.join(' and ')} {query.pegged ? 'shown' : 'hidden'} ·{' '}
          <LinkButton onClick={() => onChange({ ...query, pegged: !query.pegged })}>
            {query.pegged ? 'hide' : 'show'}
            <VisuallyHidden> pegged pairs</VisuallyHidden>
          </LinkButton>
          {' · '}
          <FigureLink figure="pegged">What pegged means</FigureLink>
        </p>
      )}
      {frozen.length > 0 && (
        <p className={styles.line}>
          {frozen.slice(0, NAMED_COINS).join('; ')}
          {frozen.length > NAMED_COINS && `; ${frozen.length - NAMED_COINS} more`}
        </p>
      )}
    </>
  )
}

interface EmptyListProps {
  readonly market: RadarMarket
  readonly query: RadarQuery
  readonly onChange: (query: RadarQuery) => void
}

/** No pair passes: says which filter to give up. */
export function EmptyList({ market, query, onChange }: EmptyListProps) {
  const ways = loosenings(market, query)
  const isOwn = query.scope === 'coins' || query.scope === 'pairs'
  const all = { ...query, scope: widestScope(market.ranked), term: '', correlation: 0, pegged: true } as const
  return (
    <EmptyState labelledBy="radar-empty" className={styles.state}>
      <h2 id="radar-empty">No pair here</h2>
      <p className={styles.hint}>
        {ways.length > 0
          ? 'Every pair is left out by a filter.'
          : isOwn && market.own.size < 2
            ? 'There is no pair on your dashboard yet, or no daily closes of its coins.'
            : 'No pair passes these filters together.'}
      </p>
      <div className={styles.ways}>
        {ways.map((way) => (
          <Button key={way.filter} onClick={() => onChange(way.without)}>
            {wayWords(way, query)} ({pairsWords(way.count)})
          </Button>
        ))}
        {ways.length === 0 && <Button onClick={() => onChange(all)}>Show all pairs</Button>}
      </div>
    </EmptyState>
  )
}

function wayWords({ filter }: Loosening, { term }: RadarQuery): string {
  switch (filter) {
    case 'term':
      return `Clear "${term.trim()}"`
    case 'correlation':
      return 'Any correlation'
    case 'pegged':
      return 'Show pegged pairs'
  }
}

/** The size of what comes. */
export const RadarSkeleton = ({ hasBoth }: { readonly hasBoth: boolean }) => (
  <div className={stack.gap3} aria-busy="true" aria-label="Loading pairs" role="status">
    <Skeleton height="1.25rem" width="16rem" />
    <div className={styles.halves}>
      <Skeleton height="60dvh" />
      {hasBoth && <Skeleton height="60dvh" />}
    </div>
  </div>
)
