// node server/cli/runtime-files.mjs DIR [PACKAGE …]: puts into DIR what the built server needs as it runs, and the named
// optional packages: a folder that needs Node and neither npm nor a network.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { projectRoot } from './run-command.mjs'
import { packagesOutside } from './server-bundle.mjs'

/** For compilers and debuggers; of migrations what the next one is compared with; extensions that the embedded database loads at need. */
const NOT_RUN = /\.([cm]?[jt]s\.map|md|d\.[cm]?ts)$|_snapshot\.json$|\/(stripe\/cjs|pglite\/dist\/.*\.(cjs|tar\.gz))$/

const [to, ...extra] = process.argv.slice(2)
if (to === undefined) throw new Error('Usage: node server/cli/runtime-files.mjs DIR [PACKAGE …]')

/** @param {string} path */
const put = (path) => {
  const from = join(projectRoot, path)
  cpSync(from, join(to, path), { recursive: true, filter: (file) => !NOT_RUN.test(file) })
}

/**
 * The folder of a package as another finds it: in its own node_modules, or in one further up.
 *
 * @param {string} name
 * @param {string} from
 * @returns {string}
 */
function folderOf(name, from) {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  if (from === projectRoot || from === dirname(from)) throw new Error(`${name} is not installed.`)
  return folderOf(name, dirname(from))
}

/** @type {Set<string>} */
const folders = new Set()
/**
 * @param {string} name
 * @param {string} from
 */
function addWithDependencies(name, from) {
  const folder = folderOf(name, from)
  if (folders.has(folder)) return
  folders.add(folder)
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(dependencies)) addWithDependencies(dependency, folder)
}

for (const name of [...packagesOutside(), ...extra]) addWithDependencies(name, projectRoot.replace(/\/$/, ''))
for (const path of ['package.json', 'dist/client', 'dist/server', 'deploy/healthcheck.mjs']) put(path)
for (const folder of folders) put(relative(projectRoot, folder))
