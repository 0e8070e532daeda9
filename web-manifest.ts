import type { ManifestOptions } from 'vite-plugin-pwa'

const screenshot = (name: string, width: number, height: number, form: 'narrow' | 'wide', label: string) => ({
  src: `/screenshots/${name}.png`,
  sizes: `${width}x${height}`,
  type: 'image/png',
  form_factor: form,
  label,
})
const shortcut = (name: string, url: string, description: string) => ({
  name,
  url,
  description,
  icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
})

/** Name, icons and shortcuts of the installed app. */
export const webManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Crypto Ratio Tracker',
  short_name: 'Ratios',
  description: 'Watches the price ratios of crypto pairs: live, offline, and over a year of history.',
  lang: 'en',
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#0c0f14',
  background_color: '#0c0f14',
  categories: ['finance', 'utilities'],
  icons: [
    { src: '/icons/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
    { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  screenshots: [
    screenshot('dashboard-narrow', 720, 1560, 'narrow', 'Ratios at a glance'),
    screenshot('chart-narrow', 720, 1560, 'narrow', 'A pair over seven days, with its bands'),
    screenshot('dashboard-wide', 1440, 900, 'wide', 'Ratios at a glance'),
    screenshot('chart-wide', 1440, 900, 'wide', 'A pair over seven days, with its bands'),
  ],
  shortcuts: [
    shortcut('Add pair', '/?add-pair', 'Watch another pair of coins'),
    shortcut('Status', '/status', 'How fresh the data is'),
  ],
}
