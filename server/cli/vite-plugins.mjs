import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { createServer } from 'vite'
import { projectRoot } from './run-command.mjs'

/** @typedef {{ source?: string | Uint8Array }} Output of the bundle; a stylesheet has a source */
/** @typedef {{ shells: { media: string, html: string }[], welcome: string, outside: string[] }} Frame see src/app/html-frame.tsx */

/**
 * Makes index.html paint by itself: the theme's script, all styles of the first route and the shell as templates are written
 * into it, so that the first paint waits for one file. The server allows these inline scripts by their hashes
 * (server/plugins/client-files.ts).
 *
 * @param {import('vite').InlineConfig} config what the rendering shares with the app: aliases and names of CSS classes
 * @returns {import('vite').Plugin}
 */
export function htmlFrame(config) {
  return {
    name: 'html-frame',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: async (html, { bundle }) => {
        // The first paint needs none of the modules: they come after it.
        const late = html.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
        const styled = inlineStyles(late, /** @type {Record<string, Output>} */ (bundle ?? {}))
        const themed = await inlineScript(styled, '<script src="/theme.js"></script>', 'public/theme.js')
        return inlineScript(
          themed.replace('<div id="root"></div>', `<div id="root"></div>${await templates(config)}\n<!-- frame -->`),
          '<!-- frame -->',
          'src/app/html-frame-script.js',
        )
      },
    },
  }
}

/**
 * @param {string} html
 * @param {Record<string, Output>} bundle
 */
function inlineStyles(html, bundle) {
  const layers = readFileSync(join(projectRoot, 'public/layers.css'), 'utf8')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .trim()
  const withLayers = html.replace(/<link rel="stylesheet" href="\/layers\.css"\s*\/?>/, `<style>${layers}</style>`)
  return withLayers.replaceAll(/<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>/g, (_link, file) => {
    const source = bundle[file]?.source
    if (source === undefined) throw new Error(`The bundle has no ${file}`)
    delete bundle[file]
    // Chunks that come later name the file: Vite's loader finds this link, which the browser does not load.
    return `<style>${String(source)}</style><link rel="stylesheet" href="/${file}" disabled>`
  })
}

/**
 * @param {string} html
 * @param {string} place what the script takes the place of
 * @param {string} file
 */
async function inlineScript(html, place, file) {
  if (!html.includes(place)) throw new Error(`index.html has no ${place}`)
  const source = readFileSync(join(projectRoot, file), 'utf8')
  const { code } = await transform(source, { minify: true, target: 'es2022' })
  return html.replace(place, () => `<script>${code.trim()}</script>`)
}

/** @param {import('vite').InlineConfig} config */
async function templates(config) {
  const server = await createServer({
    ...config,
    root: projectRoot,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { renderHtmlFrame } = await server.ssrLoadModule('/src/app/html-frame.tsx')
    /** @type {Frame} */
    const { shells, welcome, outside } = renderHtmlFrame()
    return [
      ...shells.map(({ media, html }) => `<template data-media="${media}">${html}</template>`),
      `<template id="frame-welcome">${welcome}</template>`,
      `<template id="frame-outside" data-paths="${outside.join(' ')}"></template>`,
    ].join('')
  } finally {
    await server.close()
  }
}

const MODULE_IMPORT = /^import (\w+) from ('[^']+\.module\.css')/gm

/**
 * Turns `import styles from 'x.module.css'` into `import * as styles`: the bundler then writes each class where it is used,
 * as a string, and leaves the object of all classes out. Saves the first route 1.3 kB of gzip. A file that looks classes up
 * by a variable (`styles[tone]`) keeps the object.
 *
 * @returns {import('vite').Plugin[]}
 */
export function cssClassConstants() {
  return [
    {
      name: 'css-class-constants',
      apply: 'build',
      enforce: 'pre',
      transform(code) {
        if (!code.includes('.module.css')) return null
        const renamed = code.replaceAll(MODULE_IMPORT, (line, name, file) =>
          code.includes(`${name}[`) ? line : `import * as ${name} from ${file}`,
        )
        return { code: renamed, map: null }
      },
    },
    {
      // Vite drops the styles of a module that the bundler has inlined wholly, unless the module must be kept.
      name: 'css-class-constants:keep-styles',
      apply: 'build',
      enforce: 'post',
      transform: (code, id) =>
        id.endsWith('.module.css') ? { code, map: null, moduleSideEffects: 'no-treeshake' } : null,
    },
  ]
}

const SUMMARY = /^( *)summary:(\s*)(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),$/gm
const BODY = /^( {4}body): .*,$/gm
const SCHEMA = /\bz\.(?=\w+\()/g

/**
 * Leaves out of both engines, that of the service worker and that of the web worker, what the server alone reads of each
 * route: its sentence in the API's description, and the schema of its body, which the engine sends as the local commands made it.
 * The bundler then drops the schemas that nothing else names, each of which is made without a side effect.
 *
 * @returns {import('vite').Plugin}
 */
export const routesAsAsked = () => ({
  name: 'routes-as-asked',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/src/contract/')
      ? {
          code: code.replaceAll(SUMMARY, '$1$2').replaceAll(BODY, '$1: true,').replaceAll(SCHEMA, '/* @__PURE__ */ z.'),
          map: null,
        }
      : null,
})
