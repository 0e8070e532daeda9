// npm run build: the app into dist/client, the server into dist/server.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chunkManifestFile, firstRouteReport, precompress } from './client-bundle.mjs'
import { fingerprintFile, sourcesFingerprint } from './fingerprint.mjs'
import { writeNotices } from './notices.mjs'
import { projectRoot, runOrExit } from './run-command.mjs'
import { bundleServer } from './server-bundle.mjs'

const dist = join(projectRoot, 'dist')
const fingerprint = sourcesFingerprint()
rmSync(fingerprintFile, { force: true })

// The client is a production build, whichever NODE_ENV the server is to run with: Vite believes the variable.
const vite = join(projectRoot, 'node_modules/vite/bin/vite.js')
await runOrExit(process.execPath, [vite, 'build', '--logLevel', 'warn'], { env: { NODE_ENV: 'production' } })
renameSync(join(dist, 'client', 'client-manifest.json'), chunkManifestFile)

moveSourceMaps(join(dist, 'client'), join(dist, 'source-maps'))
rmSync(join(dist, 'server'), { recursive: true, force: true })
await bundleServer(join(dist, 'server'))
writeNotices([join(dist, 'source-maps'), join(dist, 'server')])
await precompress(join(dist, 'client'))

writeFileSync(fingerprintFile, fingerprint)
console.log(firstRouteReport())

/**
 * Moves source maps out of what is served: a developer reads them with an error's stack, a browser never.
 *
 * @param {string} from
 * @param {string} to
 */
function moveSourceMaps(from, to) {
  rmSync(to, { recursive: true, force: true })
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((file) => file.endsWith('.js.map') || file.endsWith('.css.map'))) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    renameSync(join(from, name), join(to, name))
  }
}
