import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from './scratch-copy'

/** Words that the project no longer uses, by the words that it uses instead (docs/glossary.md). */
const RETIRED: Readonly<Record<string, RegExp>> = {
  'what is stored':
    /wish|optimistic-?patch|visibleBoard|tellOthers|patch-?broadcast|patchesAtom|\bapplyPatch\b|WidgetPatch/i,
  'mutation type, mergeWith, OutboxEntry':
    /kind-?rules|\bkinds\/|\blaid(?=[A-Z])|\bLaid|\babsorb|(?:interface|type) Entry\b/i,
  'apply, finish or answer': /\bsettle[sd]?\b|\bsettling\b/i,
  'sync state, push registration': /\bbooks?\b|[a-z]Book\b|-book\b|pull_wanted/,
  'quota eviction': /\bspare|takeLevel|putBack|\bconcede|make-?room|with-?room/i,
  'signal or notify': /\bbells?\b|\bring\(/,
  'password hash queue, owner lock': /turnstile|hashing-?turns|inOwnersTurn|use-?turns/i,
  'conflict class': /\blanes?\b|[a-z]Lanes?\b/,
  'liveness, host unavailable, PROCEED': /life-? ?line|HostSilent|eitherHost|\bGO\b/,
  'layers, boundaries, conventions': /\bhouse\b|\brooms\b|lock-?room|\bwalls\b|\bhabits?\b|\bthe walk\b/i,
  'audit entry, PolicyStore, MailTransport, mail template':
    /\bdeeds?\b|[a-z]Deeds?\b|PolicyShelf|MailCarrier|keptMail|(?:interface|type|function) letter/i,
  'stale notice': /old-?news|why-?gone|missedOf/i,
  'expiry of an alert': /ALERT_WORTH|worthUntil/,
  epoch: /\b(?<!re-)armings\b|[a-z]Armings\b|\b(?:an|the|its) arming\b/i,
  'registered, stale, deferred': /\bTold\b|[a-z]Told\b|\btold-(?:line|versions)|put_off/,
  'deferred or optional component': /lastingPart|lazyPart|partMissing/,
  'a constant that says of what': /\b(?:PATIENCE|MOST|AT_ONCE|STEP)\b/,
  'dependencies named by their module': /\binterface \w*Parts\b/,
  'server, for the app under test': /\bit\.(?:inject|app|database|close)\b|\bconst it = /,
}
/** The words of stored and frozen data, and this list. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  'tests/repo/language.test.ts': Object.keys(RETIRED),
  'src/db/renamed-rows.ts': ['registered, stale, deferred', 'sync state, push registration', 'epoch'],
  'tests/db/first-rows.test.ts': ['sync state, push registration'],
  'tests/db/upgrade.test.ts': ['registered, stale, deferred', 'sync state, push registration', 'epoch'],
  'docs/decisions/0129-stored-names-change-only-where-older-code-goes-on-working.md': [
    'registered, stale, deferred',
    'sync state, push registration',
  ],
}
const paths = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .stdout.split('\n')
  .filter((path) => /\.(tsx?|mjs|css|md|html)$/.test(path) && !/\/migrations\/|^docs\/spec-coverage/.test(path))
const files = paths.map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))

it('the check reads code, tests, styles and documents', () => {
  for (const part of [/^src\/.*\.ts$/, /^server\/.*\.ts$/, /^tests\/.*\.ts$/, /\.css$/, /^docs\/.*\.md$/])
    expect(paths.filter((path) => part.test(path)).length).toBeGreaterThan(40)
})
it.each(Object.entries(RETIRED))('code, tests and documents say "%s" with the field’s word', (word, retired) => {
  const found = files
    .filter(({ path }) => !(KEPT[path] ?? []).includes(word))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, i) => (retired.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    )
  expect(found).toEqual([])
})
it('no file is called after a retired word', () => {
  const retired = [...Object.values(RETIRED), /(?:^|\/)(?:moments?|days)\.ts$|\btold-/]
  expect(paths.filter((path) => retired.some((word) => word.test(path)))).toEqual([])
})
it('no sentence of a comment begins with What, Whoever, Where, Who, Whose or Nobody instead of its actor', () => {
  const found = files
    .filter(({ path }) => !path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|[\s;{])\/\/ (.*)$/gm)]
        .map((match) =>
          (match[1] ?? match[2] ?? '')
            .replace(/\n\s*\*/g, ' ')
            .replace(/\s+/g, ' ')
            .trim(),
        )
        .filter((comment) => /(^|[.:] )(What|Whoever|Whatever|Where|Who|Whose|Nobody)\b/.test(comment))
        .map((comment) => `${path}: ${comment}`),
    )
  expect(found).toEqual([])
})
it('no name is exported by two modules', () => {
  const homes = new Map<string, string[]>()
  for (const { path, text } of files)
    if (/^(src|sw|workers|server)\//.test(path))
      for (const [, name] of text.matchAll(
        /^export (?:abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
      ))
        homes.set(name!, [...(homes.get(name!) ?? []), path])
  expect([...homes].filter(([, at]) => new Set(at).size > 1)).toEqual([])
})
