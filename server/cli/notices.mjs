import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './run-command.mjs'

/** Served and packed with what it speaks of. */
export const noticesFile = join(projectRoot, 'dist/client/licenses.txt')

/** Packages of which a part is copied rather than bundled: the font (src/ui), and the compiled parts of argon2. */
const COPIED = ['node_modules/@fontsource-variable/inter', 'node_modules/@node-rs/argon2']

/** The folder of a package within the path of one of its files, as bundlers write it into a source map. */
const PACKAGE =
  /(?:^|\/)((?:node_modules\/(?:@[^/]+\/)?[^/]+\/(?:.*\/)?)?node_modules\/(?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/

/**
 * Writes the licences of all packages of which the build holds code, by what its source maps say: what a bundler left out
 * is not named.
 *
 * @param {readonly string[]} folders with source maps
 */
export function writeNotices(folders) {
  const maps = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js.map'))
      .map((name) => join(folder, name)),
  )
  const sources = maps.flatMap((map) => JSON.parse(readFileSync(map, 'utf8')).sources)
  const packages = new Set([...COPIED, ...sources.flatMap((source) => PACKAGE.exec(source)?.[1] ?? [])])
  const notices = [...packages].filter((folder) => existsSync(join(projectRoot, folder, 'package.json'))).map(noticeOf)
  writeFileSync(noticesFile, [...new Set(notices)].toSorted().join(`\n${'-'.repeat(80)}\n\n`))
}

/** @param {string} folder */
function noticeOf(folder) {
  const path = join(projectRoot, folder)
  const { name, version, license, author, homepage } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const texts = readdirSync(path).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const text = texts.map((file) => readFileSync(join(path, file), 'utf8').trim()).join('\n\n')
  // A few packages name their licence only.
  const by = text || [author?.name ?? author, homepage].filter(Boolean).join(', ')
  return `${name} ${version} (${license})\n\n${by}\n`
}
