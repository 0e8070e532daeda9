import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Policies } from '../../../src/contract/settings'
import { API_BASE } from '../../../src/contract/routes'

export const POLICY_KINDS = ['terms', 'privacy'] as const
type PolicyKind = (typeof POLICY_KINDS)[number]

/** Every version of every policy: a user may want to read the one that they once accepted. */
export interface PolicyStore {
  /** The versions in force, which are the latest. */
  readonly current: Policies
  /** Plain text; null where there never was such a version. */
  readonly text: (kind: PolicyKind, version: string) => string | null
}

/** A version is the day from which it holds, so that the latest is the greatest. */
const FILE = /^(terms|privacy)-(\d{4}-\d{2}-\d{2})\.txt$/

/**
 * Reads the texts from files named `terms-2026-01-31.txt`.
 * @throws Error when a policy has no text, or a file's name says nothing
 */
export function readPolicies(folder: string): PolicyStore {
  const texts: Record<PolicyKind, Map<string, string>> = { terms: new Map(), privacy: new Map() }
  for (const name of readdirSync(folder)) {
    const [, kind, version] = FILE.exec(name) ?? []
    if (kind === undefined || version === undefined) throw new Error(`${join(folder, name)} is no version of a policy.`)
    texts[kind as PolicyKind].set(version, readFileSync(join(folder, name), 'utf8'))
  }
  const latest = (kind: PolicyKind) => {
    const version = [...texts[kind].keys()].toSorted().at(-1)
    if (version === undefined) throw new Error(`${folder} holds no text of the policy "${kind}".`)
    return { version, path: `${API_BASE}/policies/${kind}/${version}` }
  }
  return {
    current: { terms: latest('terms'), privacy: latest('privacy') },
    text: (kind, version) => texts[kind].get(version) ?? null,
  }
}
