import { readFileSync, readdirSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/**
 * Seconds of processor time of this process, or of another, and of all that it started and that runs or was waited for. Only Linux says it of
 * other processes: elsewhere it is this process's own.
 *
 * @param {number} [of] id of another process that is meant
 * @returns {number}
 */
export function processorSeconds(of = process.pid) {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000_000
  }
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(statOf),
  )
  /** @type {Map<number, number[]>} */
  const children = new Map()
  for (const [pid, stat] of all)
    if (stat !== null) children.set(stat.parent, [...(children.get(stat.parent) ?? []), pid])
  const tree = [of]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []))
  return tree.reduce((ticks, pid) => ticks + (all.get(pid)?.ticks ?? 0), 0) / TICKS_PER_SECOND
}

/** @param {string} pid @returns {[number, { parent: number, ticks: number } | null]} null: it has ended since */
function statOf(pid) {
  let text
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return [Number(pid), null]
    throw error
  }
  // Behind the program's name, which may itself hold blanks and brackets: state, parent, …
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  // Own time in user and system mode, and that of the children which it waited for.
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15)
  return [Number(pid), { parent: fields[1] ?? 0, ticks: user + system + childrenUser + childrenSystem }]
}

/** On the process: a test that loads its modules anew gets this one anew as well. */
const COUNTED = Symbol.for('processor seconds counted')

/**
 * Seconds of this process's tree since it was last asked, at first since the process started: all that a worker does belongs
 * to one of its tests, the start of the worker, a server or a browser to the test that was the first to want it.
 */
export function processorSecondsSince() {
  const total = processorSeconds()
  const counted = Number(Reflect.get(process, COUNTED) ?? 0)
  Reflect.set(process, COUNTED, total)
  // A process that ended before it was waited for takes its seconds along.
  return Math.max(0, total - counted)
}
