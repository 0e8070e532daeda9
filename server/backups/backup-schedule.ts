import * as z from 'zod'
import { DAY, HOUR } from '../../src/domain/granularity'

export interface BackupSchedule {
  readonly folder: string
  /** Milliseconds from one backup to the next. */
  readonly every: number
  /** Number of backups that stay; older ones are removed after a new one is complete. */
  readonly keep: number
}

const UNITS = { h: HOUR, d: DAY } as const

/** Written as `folder,24h,7`: where to, how often (hours or days), how many to keep. */
export const backupSchedule = z
  .string()
  .regex(
    /^.+,[1-9]\d{0,3}[hd],[1-9]\d{0,3}$/,
    'must be a folder, how often, and how many to keep, such as /var/backups/ratios,24h,7',
  )
  .transform((text): BackupSchedule => {
    const [, folder = '', count, unit, keep] = /^(.+),(\d+)([hd]),(\d+)$/.exec(text) ?? []
    return { folder, every: Number(count) * UNITS[unit as keyof typeof UNITS], keep: Number(keep) }
  })
