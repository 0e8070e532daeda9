/** Alerts that are of a way to reach their owner, and of no pair; `note` is its name. */
export const WAY_KINDS = ['way_off', 'device_silent'] as const
export type WayKind = (typeof WAY_KINDS)[number]

export const WAY_TITLE = 'Alerts do not arrive everywhere'

const WORDS: Readonly<Record<string, (way: string) => string>> = {
  way_off: (way) => `Alerts no longer reach ${way}`,
  device_silent: (way) => `${way} has not shown the last 3 alerts`,
} satisfies Record<WayKind, (way: string) => string>

/** Undefined: the alert is of another kind. */
export const wayWords = ({
  kind = '',
  note = 'One of your devices',
}: {
  readonly kind?: string
  readonly note?: string
}) => WORDS[kind]?.(note)
