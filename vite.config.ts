import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { cssClassConstants, htmlFrame, routesAsAsked } from './server/cli/vite-plugins.mjs'
import { webManifest } from './web-manifest.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const version = readVersion()
/** Address of the API server in development. */
const apiOrigin = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080'

function readVersion(): string {
  const text = readFileSync(new URL('package.json', import.meta.url), 'utf8')
  const parsed = JSON.parse(text) as { version: string }
  return process.env.APP_VERSION ?? parsed.version
}

const stylesheets = new Map<string, string>()

/**
 * Classes are called after their file, `badge_warn`: a hash in each of them costs the first route half a kilobyte, since
 * chance does not compress. So no two stylesheets may have one name.
 */
function scopedName(name: string, file: string): string {
  const sheet = basename(file, '.module.css')
  const other = stylesheets.get(sheet) ?? file
  if (other !== file) throw new Error(`Two stylesheets have one name: ${file} and ${other}.`)
  stylesheets.set(sheet, file)
  return `${sheet}_${name}`
}

const css = { modules: { generateScopedName: scopedName } }

export default defineConfig({
  root,
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(version) },
  plugins: [
    cssClassConstants(),
    htmlFrame({ plugins: [react()], css }),
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // A new version waits until the user agrees; src/app registers the worker and asks.
      registerType: 'prompt',
      injectRegister: false,
      includeManifestIcons: false,
      manifest: webManifest,
      injectManifest: {
        // Of the icons those of iOS and of notifications: the system keeps the others itself when it installs the app.
        globPatterns: ['**/*.{js,css,html,svg}', '**/inter-latin-*.woff2', 'icons/{apple-touch-icon,icon-192}.png'],
        // Other letters' font is fetched only by the pages that show them, and the ways beside push can only be seen and
        // changed with a connection.
        globIgnores: ['**/inter-latin-ext-*.woff2', '**/ways-list-*'],
        buildPlugins: { vite: [routesAsAsked()] },
        sourcemap: 'hidden',
      },
    }),
  ],
  resolve: {
    alias: [
      // The package's own entry is written for browsers that the app does not serve, and 1.5 kB of gzip larger.
      { find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' },
      // The router asks for a substitute of the hook, which React has had since version 18.
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: 'react' },
    ],
  },
  css,
  worker: { format: 'es', plugins: () => [routesAsAsked()] },
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    // Made, and named by no file: server/cli/build.mjs moves them out of what is served.
    sourcemap: 'hidden',
    modulePreload: {
      // Browsers without it still load every chunk, only later.
      polyfill: false,
      // The page names all scripts of the first paint. For chunks that come later, the browser finds their imports itself: a
      // list of them in the first route weighs 1.9 kB, and the service worker has them in its cache.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => file.endsWith('.css')),
    },
    // Read by server/cli/client-bundle.mjs and then moved out of what is served.
    manifest: 'client-manifest.json',
    rolldownOptions: {
      // Constants are written into their places, across files too.
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      output: {
        // The first paint needs two files, not thirty: packages, which seldom change, and our own code.
        codeSplitting: {
          groups: [
            { name: 'packages', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'first-route', tags: ['$initial'], priority: 1 },
            // Screens behind the dashboard share these: each small file would be a request of the service worker.
            {
              name: 'icons',
              test: /lucide-react.+icons\/(?:check|chevron-down|credit-card|download|rotate-cw|search|shield-check|smartphone)\./,
            },
            {
              name: 'forms',
              test: /src\/(?:ui\/(?:check-box|facts|field|password-input|save-file)|domain\/counted-to)\./,
            },
            { name: 'pair-figures', test: /src\/domain\/(?:backtest|excursions|leg-words)\.ts/ },
            { name: 'calls', test: /src\/state\/calls\.ts/ },
            // Dexie and what most late chunks share, which come together behind the first paint.
            { name: 'database', test: /src\/(?:db|domain|state|app|sync)\//, minShareCount: 5 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': apiOrigin, '/sandbox': apiOrigin },
  },
})
