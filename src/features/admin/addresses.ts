export const USERS = '/admin/users'
export const AUDIT_LOG = '/admin/audit-log'

/** A page of a list, counted from 1, of those that `search` finds or of the account `user`. */
export interface ListPlace {
  readonly search?: string
  readonly user?: string | null
  readonly page?: number
}

/** The address of a page of a list; what is as it is anyway is left out. */
export function listAddress(list: string, { search = '', user = null, page = 1 }: ListPlace): string {
  const query = new URLSearchParams()
  if (search !== '') query.set('search', search)
  if (user !== null) query.set('user', user)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? list : `${list}?${query.toString()}`
}

/** A number of a page from an address; whatever is none is the first. */
export function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? ''
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1
}

export const userAddress = (id: string): string => `${USERS}/${encodeURIComponent(id)}`

/** History state of an account that was opened from a list: the way back leads there. */
export interface FromList {
  readonly from: string
}
