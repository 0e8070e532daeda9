import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { MailCarrier } from './carrier'

/** As many mails as are kept; the oldest go. */
const MOST = 200

const keptMail = z.object({
  /** When it was sent, ISO 8601. */
  at: z.string(),
  to: z.string(),
  replyTo: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})
export interface KeptMail extends z.infer<typeof keptMail> {
  /** Names it among the others; greater is later. */
  readonly id: string
}

const FILE = /^(\d{13}-[0-9a-f-]{36})\.json$/

/** The sandbox's post: every mail becomes a file of a folder, to be read on a page of this server. */
export function folderCarrier(folder: string, clock: () => number): MailCarrier {
  return {
    send: async (mail) => {
      await mkdir(folder, { recursive: true })
      const at = clock()
      const draft = join(folder, randomUUID())
      await writeFile(draft, JSON.stringify({ at: new Date(at).toISOString(), ...mail }, null, 2), { mode: 0o600 })
      await rename(draft, join(folder, `${String(at).padStart(13, '0')}-${randomUUID()}.json`))
      const ids = await idsIn(folder)
      await Promise.all(ids.slice(MOST).map((id) => rm(join(folder, `${id}.json`), { force: true })))
    },
    close: () => undefined,
  }
}

/** The mails of the folder, newest first. */
export async function keptMails(folder: string): Promise<KeptMail[]> {
  const mails = await Promise.all((await idsIn(folder)).map((id) => keptMailOf(folder, id)))
  return mails.filter((mail) => mail !== null)
}

/** @returns null when there is no such mail */
export async function keptMailOf(folder: string, id: string): Promise<KeptMail | null> {
  const name = `${id}.json`
  if (!FILE.test(name)) return null
  try {
    return { id, ...keptMail.parse(JSON.parse(await readFile(join(folder, name), 'utf8'))) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function idsIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names.flatMap((name) => FILE.exec(name)?.[1] ?? []).toSorted((a, b) => (a < b ? 1 : -1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
