import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Redirect } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { ADMIN_PAGE_SIZE, pageCount } from '../../domain/account'
import { countedWords } from '../../domain/counted-to'
import { IconButton } from '../../ui/button'
import { useOnline } from '../../ui/browser-state'
import type { Asked } from '../../state/calls'
import { listAddress, type ListPlace } from './admin-page'
import { AdminAnswer, StaleNotice } from './answer-states'
import styles from './paged-list.module.css'

interface PagedListProps<Row> {
  readonly label: string
  /** The specification's sentence for a list that could not be fetched. */
  readonly failed: string
  /** Noun of the rows, singular and plural. */
  readonly names: readonly [one: string, many: string]
  /** Rows up to which the server counts; of more there is an estimate. Absent: it counts all. */
  readonly countedTo?: number
  /** The list's address without a page. */
  readonly address: string
  /** Search or account of the rows, and their page. */
  readonly place: ListPlace & { readonly page: number }
  readonly asked: Asked<{ readonly rows: readonly Row[]; readonly total: number }>
  readonly onRetry: () => void
  readonly skeleton: ReactNode
  /** Stands in the place of rows when the list has none. */
  readonly empty: ReactNode
  /** Draws the rows. `at`: milliseconds of the answer; `here`: the address of this page. */
  readonly children: (rows: readonly Row[], at: number, here: string) => ReactNode
}

/** One page of a list of the server: its rows, or why there are none, and buttons to other pages. */
export function PagedList<Row>({
  label,
  failed,
  names,
  countedTo = Infinity,
  address,
  place,
  asked,
  onRetry,
  skeleton,
  empty,
  children,
}: PagedListProps<Row>) {
  const online = useOnline()
  const turnTo = (page: number) => {
    navigate(listAddress(address, { ...place, page }))
    window.scrollTo(0, 0)
  }
  return (
    <>
      {asked.kind === 'known' && (
        <StaleNotice failed={failed} failure={asked.failure} at={asked.at} onRetry={onRetry} />
      )}
      <ListCard label={label} pending={asked.kind === 'known' && asked.pending}>
        <AdminAnswer asked={asked} failed={failed} onRetry={onRetry} skeleton={skeleton}>
          {({ value: { rows, total }, at, pending }) => {
            const last = pageCount(total)
            if (!pending && place.page > last) {
              return <Redirect to={listAddress(address, { ...place, page: last })} replace />
            }
            if (total === 0) return empty
            return (
              <>
                {children(rows, at, listAddress(address, place))}
                <Pager page={place.page} blocked={!online} onPage={turnTo} {...{ total, names, countedTo }} />
              </>
            )
          }}
        </AdminAnswer>
      </ListCard>
    </>
  )
}

interface PagerProps {
  /** From 1. */
  readonly page: number
  /** Rows on all pages. */
  readonly total: number
  readonly names: PagedListProps<never>['names']
  readonly countedTo: number
  /** No page can be fetched now. */
  readonly blocked: boolean
  readonly onPage: (page: number) => void
}

/** Count of rows, and buttons to other pages. Stays in view, so that the user turns pages without moving the pointer. */
function Pager({ page, total, names: [one, many], countedTo, blocked, onPage }: PagerProps) {
  const all = `${countedWords(total, countedTo)} ${total === 1 ? one : many}`
  const pages = pageCount(total)
  const first = (page - 1) * ADMIN_PAGE_SIZE + 1
  const last = Math.min(total, page * ADMIN_PAGE_SIZE)
  const step = (label: string, to: number) => {
    const off = blocked || to < 1 || to > pages
    return (
      <IconButton
        label={label}
        icon={to < page ? ChevronLeft : ChevronRight}
        aria-disabled={off || undefined}
        onClick={() => !off && onPage(to)}
      />
    )
  }
  return (
    <div className={styles.pager}>
      <p role="status" className={styles.count}>
        {pages === 1 ? all : `${figure.format(first)}–${figure.format(last)} of ${all}`}
      </p>
      {pages > 1 && (
        <div className={styles.steps}>
          {step('Previous page', page - 1)}
          {step('Next page', page + 1)}
        </div>
      )}
    </div>
  )
}

const figure = new Intl.NumberFormat()

interface ListCardProps {
  readonly label: string
  /** A new request is about to replace the rows on the screen. */
  readonly pending: boolean
  readonly children: ReactNode
}

/** Frame of a list in the admin area. Takes the focus of a control that goes, such as "Try again" after success. */
export function ListCard({ label, pending, children }: ListCardProps) {
  const card = useRef<HTMLElement>(null)
  const focused = useRef(false)
  useEffect(() => {
    if (focused.current && document.activeElement === document.body) card.current?.focus({ preventScroll: true })
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only follows the focus
    <section
      ref={card}
      tabIndex={-1}
      aria-label={label}
      aria-busy={pending || undefined}
      className={styles.card}
      onFocus={() => (focused.current = true)}
      onBlur={() => (focused.current = false)}
    >
      {children}
    </section>
  )
}
