import type { Widget } from '../../contract/widget'
import type { EntryError } from '../outbox-entry'

/** What an entry's answer means for it. */
export type Outcome =
  /** The server did it; `value` fits the schema of the entry's route, null where there is no body. */
  | { readonly kind: 'done'; readonly value: unknown }
  /** What should go is gone already. */
  | { readonly kind: 'already'; readonly error: EntryError }
  /** The pair is there, made elsewhere. */
  | { readonly kind: 'exists'; readonly widget: Widget; readonly error: EntryError }
  /** It was made once, and removed elsewhere since. */
  | { readonly kind: 'removed-since' }
  /**
   * A create met NOT_FOUND, and no attempt can have made anything: what it names is gone, or the address was not served.
   * Or it brings a guest's thing along, and its key is spent; see `keyAfter`.
   */
  | { readonly kind: 'not-there'; readonly error: EntryError }
  /** No verdict; nothing is given up. */
  | { readonly kind: 'again'; readonly retryAfter: number | null; readonly error: EntryError }
  /** The owner has to sign in again. */
  | { readonly kind: 'pause'; readonly error: EntryError }
  | { readonly kind: 'refused'; readonly error: EntryError }
  /** The owner is not signed in: nothing was sent. */
  | { readonly kind: 'not-sent' }
