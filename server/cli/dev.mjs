// npm run dev: the API with restarts on change, and Vite's server for the app in front of it.
import { join } from 'node:path'
import { ensureInstalled, requireNode } from './install.mjs'
import { projectRoot, runProgram } from './run-command.mjs'

requireNode()
await ensureInstalled()
const { watchServer } = await import('./server-bundle.mjs')
const outdir = join(projectRoot, 'node_modules/.cache/dev-server')
await watchServer(outdir)

const api = process.env.PORT ?? '8080'
// People are at Vite's address: links in mails lead there, and sign-in with Google comes back there.
const PUBLIC_URL = process.env.PUBLIC_URL ?? 'http://localhost:5173'
const results = await Promise.all([
  runProgram(process.execPath, ['--watch', '--enable-source-maps', join(outdir, 'main.js')], {
    env: { PORT: api, PUBLIC_URL },
  }),
  runProgram(process.execPath, [join(projectRoot, 'node_modules/vite/bin/vite.js')], {
    env: { API_ORIGIN: `http://127.0.0.1:${api}` },
  }),
])
process.exit(Math.max(...results))
