import type { WidgetId } from './ids'

/**
 * Paths of the app's own origin that are not the app: the API, the server's state, the sandbox, the build's files, and the
 * addresses at which programs look on every site (RFC 8615). The service worker leaves them to the server, and the server
 * answers them with an error where it has nothing.
 */
export const NOT_THE_APP = /^\/+(api|assets|healthz|readyz|metrics|sandbox|\.well-known)(?=[/?]|$)/

/** The address of a pair's chart inside the app. */
export const chartPath = (widget: WidgetId): string => `/chart/${encodeURIComponent(widget)}`

/** Fragment of the settings' address that leads to the change of the password. */
export const CHANGE_PASSWORD_ID = 'change-password'
/** /.well-known/change-password leads here. */
export const CHANGE_PASSWORD = `/settings#${CHANGE_PASSWORD_ID}`
