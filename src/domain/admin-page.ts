/** Rows of one page of an operator's list; the whole number of those found stands in `X-Total-Count`. */
export const ADMIN_PAGE_SIZE = 20

/** Of a list of `total` rows; the first is 1, and an empty list has one as well. */
export const pageCount = (total: number): number => Math.max(1, Math.ceil(total / ADMIN_PAGE_SIZE))
