import { previewSetup, type SetupPlan } from '../../db/setup-plan'
import type { LocalDatabase } from '../../db/database'
import { readSetupPairs } from '../../db/queries/setup'
import { readViewSettings } from '../../db/setup-device'
import {
  MAX_SETUP_BYTES,
  readSetup,
  type Setup,
  SETUP_DAMAGED,
  SETUP_TOO_LARGE,
  writeSetup,
} from '../../domain/setup-file'
import { sha256 } from './setup-checksum'
import { deviceSettings } from './setup-device'

/** A setup that was read from a file, and what loading it would do. */
export interface ChosenSetup {
  readonly setup: Setup
  readonly plan: SetupPlan
}

/** @param now milliseconds */
export async function setupBlob(db: LocalDatabase, now: number): Promise<Blob> {
  const setup = { pairs: await readSetupPairs(db), device: { ...(await readViewSettings(db)), ...deviceSettings() } }
  return new Blob([await writeSetup(setup, now, sha256)], { type: 'application/json' })
}

/** The plan of a chosen file, or a sentence if this app cannot load it. Changes nothing. */
export async function examine(db: LocalDatabase, file: Blob): Promise<ChosenSetup | string> {
  // Not even read: a film would fill the memory.
  if (file.size > MAX_SETUP_BYTES) return SETUP_TOO_LARGE
  const read = readSetup(await file.text())
  if (!read.ok) return read.problem
  if ((await sha256(read.covered)) !== read.checksum) return SETUP_DAMAGED
  const planned = await previewSetup(db, read.setup)
  if (planned === undefined) return 'User session not found. Please refresh and try again.'
  return planned.ok ? { setup: read.setup, plan: planned.plan } : planned.problem
}
