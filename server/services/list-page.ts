/** A page of a list: how many rows stand before it, and how many it has at most. */
export interface PageQuery {
  readonly skip: number
  readonly limit: number
}

/** A part of what there is, and how much there is in all. */
export interface Counted<T> {
  readonly part: T
  readonly total: number
}
