import type { AlertSide } from '../../domain/alerts'

/** What a click on the card means at the moment. */
export type CardMode =
  | { readonly kind: 'view' }
  /** The next click on the ratio saves it as the default checkpoint. */
  | { readonly kind: 'arming_checkpoint' }
  | { readonly kind: 'editing_threshold'; readonly side: AlertSide }

export type CardEvent =
  | { readonly kind: 'checkpoint-clicked' }
  | { readonly kind: 'ratio-saved' }
  | { readonly kind: 'threshold-clicked'; readonly side: AlertSide }
  | { readonly kind: 'threshold-closed' }
  | { readonly kind: 'escaped' }

export const VIEW: CardMode = { kind: 'view' }

/** The mode after an event; the same object where the event means nothing in this mode. */
export function nextMode(mode: CardMode, event: CardEvent): CardMode {
  switch (mode.kind) {
    case 'view':
      if (event.kind === 'checkpoint-clicked') return { kind: 'arming_checkpoint' }
      if (event.kind === 'threshold-clicked') return { kind: 'editing_threshold', side: event.side }
      return mode
    case 'arming_checkpoint':
      if (event.kind === 'threshold-clicked') return { kind: 'editing_threshold', side: event.side }
      return event.kind === 'threshold-closed' ? mode : VIEW
    case 'editing_threshold':
      return event.kind === 'threshold-closed' ? VIEW : mode
  }
}
