import type * as z from 'zod/mini'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Identity = 'none' | 'guest' | 'user' | 'any' | 'superuser'

/** One call of the API. `answer` is null where the status is 204. */
export interface Route {
  readonly method: Method
  /** Below API_BASE, parameters as `:name`. */
  readonly path: string
  /** The callers; `any` is a guest or a user. */
  readonly identity: Identity
  readonly summary: string
  readonly params?: z.ZodMiniObject
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  /** `X-Total-Count` holds the number of all rows. */
  readonly counted?: true
  /** REVISION_HEADER holds the revision of the caller's widgets: a GET's the present one, a change's those before and after. */
  readonly revised?: true
  /** Absent: JSON. */
  readonly encoding?: 'form'
  /** Media type of an answer that is bytes, of which `answer` says nothing; absent: JSON. */
  readonly media?: 'application/octet-stream'
  /** Absent: 200. */
  readonly status?: 201 | 204
  /** Status of a repetition (same Idempotency-Key) that finds what it had changed gone. */
  readonly whenGone?: 204
  readonly answer: z.ZodMiniType | null
  /** The client's more tolerant schema of the answer. */
  readonly read?: z.ZodMiniType
}

/** Status of a success. */
export const statusOf = ({ status }: Route): number => status ?? 200
