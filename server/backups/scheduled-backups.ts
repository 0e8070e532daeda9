import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MINUTE } from '../../src/domain/granularity'
import { claimFolder } from '../data-folder'
import type { Env } from '../env'
import type { JobsDeps, PeriodicJob } from '../jobs/periodic'
import type { ProgramFiles } from '../program-files'

/** How often the job looks whether a backup is due, milliseconds: so late one is at most. */
const BACKUP_LOOK_INTERVAL = MINUTE

interface ScheduledBackupsDeps extends Pick<JobsDeps, 'clock' | 'logger'> {
  readonly env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR' | 'BACKUP_SCHEDULE'>
  readonly files: Pick<ProgramFiles, 'backup'>
  /** Whether the clock may be believed, by which backups are named. */
  readonly mayRemove: () => Promise<boolean>
}

/** The job that writes backups by BACKUP_SCHEDULE, each in a process of its own. */
export function backupJobs({ env, files, clock, logger, mayRemove }: ScheduledBackupsDeps): readonly PeriodicJob[] {
  const schedule = env.BACKUP_SCHEDULE
  if (schedule === undefined) return []
  const run = async (signal: AbortSignal) => {
    // The note of the last backup goes there, also beside PostgreSQL.
    claimFolder(env.DATA_DIR)
    const folder = resolve(schedule.folder)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const now = clock()
    const newest = backupsIn(folder, now).at(-1)
    if (newest !== undefined && timeOf(newest) > now - schedule.every) return
    removeUnfinished(folder)
    await writeInProcess(env, files.backup, join(folder, nameAt(now)), signal)
    const surplus = backupsIn(folder, now).slice(0, -schedule.keep)
    // Which are the oldest, the clock says that named them.
    if (await mayRemove()) for (const name of surplus) rmSync(join(folder, name))
    else if (surplus.length > 0) logger?.warn({ surplus }, 'old backups are kept until the clock is confirmed')
  }
  return [{ name: 'backup', every: BACKUP_LOOK_INTERVAL, run }]
}

const NAME = /^ratio-tracker-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup\.gz$/

const nameAt = (now: number): string =>
  `ratio-tracker-${new Date(now).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')}.backup.gz`

const timeOf = (name: string): number => Date.parse(name.replace(NAME, '$1-$2-$3T$4:$5:$6Z'))

/**
 * The names of the backups that the schedule has written, oldest first. Other files are not its own, and one from the future
 * was named while the clock was wrong: it puts no backup off and is not removed.
 */
const backupsIn = (folder: string, now: number): string[] =>
  readdirSync(folder)
    .filter((name) => NAME.test(name) && timeOf(name) <= now)
    .toSorted()

/** Of backups that were killed. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^ratio-tracker-.*\.backup\.gz\..*\.part$/.test(name)) rmSync(join(folder, name))
  }
}

/**
 * A process of its own, so that packing costs the server process nothing and the embedded database's copy is opened outside it.
 * @throws Error with what that process said
 */
async function writeInProcess(
  { DATABASE_URL = '', DATA_DIR }: ScheduledBackupsDeps['env'],
  program: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [program, file, '--allow-empty'], {
    env: { ...process.env, DATABASE_URL, DATABASE_URL_FILE: '', DATA_DIR },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const stop = () => void child.kill()
  signal.addEventListener('abort', stop)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0 && !signal.aborted)
      throw new Error(`The backup was not written: ${said.trim() || `exit code ${code}`}`)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
