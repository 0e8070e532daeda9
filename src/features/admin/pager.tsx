import { ChevronLeft, ChevronRight } from 'lucide-react'
import { ADMIN_PAGE_SIZE, pageCount } from '../../domain/admin-page'
import { IconButton } from '../../ui/button'
import styles from './pager.module.css'

interface PagerProps {
  /** From 1. */
  readonly page: number
  /** Rows on all pages. */
  readonly total: number
  /** What they are called, one and many. */
  readonly names: readonly [one: string, many: string]
  /** Another page cannot be had now. */
  readonly blocked: boolean
  readonly onPage: (page: number) => void
}

/** How much there is, and the ways through it. Stays in view, so that a page after the other is a press after the other. */
export function Pager({ page, total, names: [one, many], blocked, onPage }: PagerProps) {
  const pages = pageCount(total)
  const first = (page - 1) * ADMIN_PAGE_SIZE + 1
  const last = Math.min(total, page * ADMIN_PAGE_SIZE)
  const step = (label: string, to: number) => {
    const off = blocked || to < 1 || to > pages
    return (
      <IconButton label={label} aria-disabled={off || undefined} onClick={() => !off && onPage(to)}>
        {to < page ? <ChevronLeft aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
      </IconButton>
    )
  }
  return (
    <div className={styles.pager}>
      <p role="status" className={styles.count}>
        {pages === 1
          ? count(total, one, many)
          : `${figure.format(first)}–${figure.format(last)} of ${count(total, one, many)}`}
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

const count = (total: number, one: string, many: string): string =>
  `${figure.format(total)} ${total === 1 ? one : many}`
