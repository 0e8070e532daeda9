/** The cache of coins' pictures, filled by the service worker. */
export const COIN_ICONS = 'coin-icons'
