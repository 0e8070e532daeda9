import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { webManifest } from './web-manifest.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const version = readVersion()
/** Where the server is, in development. */
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

export default defineConfig({
  root,
  define: { 'import.meta.env.VITE_APP_VERSION': JSON.stringify(version) },
  plugins: [
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // A new version waits until the user agrees; src/app registers the worker and asks.
      registerType: 'prompt',
      injectRegister: false,
      manifest: webManifest,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,woff2}', 'icons/apple-touch-icon.png'],
        // Other alphabets' fonts are fetched only by the pages that show them.
        globIgnores: ['**/*-{cyrillic,cyrillic-ext,greek,greek-ext,vietnamese}-*.woff2'],
        sourcemap: 'hidden',
      },
    }),
  ],
  // The package's own entry is written for browsers that the app does not serve, and 1.5 kB of gzip larger.
  resolve: { alias: [{ find: /^dexie$/, replacement: 'dexie/dist/modern/dexie.mjs' }] },
  css: { modules: { generateScopedName: scopedName } },
  worker: { format: 'es' },
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    // Made, and named by no file: server/cli/build.mjs moves them out of what is served.
    sourcemap: 'hidden',
    // Browsers without it still load every chunk, only later.
    modulePreload: { polyfill: false },
    // Read by server/cli/first-route.mjs and then moved out of what is served.
    manifest: 'client-manifest.json',
    rolldownOptions: {
      output: {
        // What the first paint needs comes in two files, not in thirty: packages, which seldom change, and our own code.
        codeSplitting: {
          groups: [
            { name: 'packages', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'first-route', tags: ['$initial'], priority: 1 },
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
