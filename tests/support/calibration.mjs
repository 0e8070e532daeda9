import { createHash } from 'node:crypto'

/** A unit of processor time that is the same work on every machine, and how much of it is done to know its length. */
const HASHES = 2_000_000
const SHARE = 10

/** @returns {number} seconds of processor time that two million SHA-1 of short strings take here and now */
export function calibrationLoop() {
  const start = process.cpuUsage()
  for (let i = 0; i < HASHES / SHARE; i += 1) createHash('sha1').update(`short string ${i}`).digest()
  const { user, system } = process.cpuUsage(start)
  return ((user + system) / 1_000_000) * SHARE
}
