export type Row = Readonly<Record<string, unknown>>
type Names = Readonly<Record<string, string>>

/** The names of version 2 and those of version 3. */
const PRICE: Names = { at: 'first_seen_at', seen_until: 'provider_time' }
const OWNER: Names = { pull_wanted: 'needs_pull', account_wanted: 'needs_account_refresh' }
const ALERTS_PULL: Names = { armings: 'epochs' }
const PUSH: Names = { told: 'registered', left: 'stale', put_off: 'deferred' }
const NOTICE: Names = { type: 'kind' }

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

const hasOld = (row: unknown, names: Names): boolean => isRow(row) && Object.keys(names).some((old) => old in row)

/** A field under its old name was written after the one under its new name: only version 2 still writes it. */
function renamed(row: Row, names: Names): Row {
  if (!hasOld(row, names)) return row
  const kept = Object.entries(row).filter(([name]) => !(name in names))
  // Version 2 writes NaN where it calculates with a time that it did not find under its own name.
  const written = Object.entries(row).filter(([name, value]) => name in names && !Number.isNaN(value))
  return Object.fromEntries([...kept, ...written.map(([name, value]) => [names[name], value])])
}

const inPrices = (row: Row): Row => {
  const prices = Object.entries(isRow(row['prices']) ? row['prices'] : {})
  // Hundreds of prices are read with every poll, and hardly ever any of them is to be renamed.
  if (!prices.some(([, price]) => hasOld(price, PRICE))) return row
  return { ...row, prices: Object.fromEntries(prices.map(([coin, price]) => [coin, renamed(price as Row, PRICE)])) }
}
const inOwner = (row: Row): Row => {
  const pull = row['alerts_pull']
  const owner = renamed(row, OWNER)
  return isRow(pull) && hasOld(pull, ALERTS_PULL) ? { ...owner, alerts_pull: renamed(pull, ALERTS_PULL) } : owner
}
const inMeta = (row: Row): Row =>
  row['key'] === 'push' && isRow(row['value']) ? { ...row, value: renamed(row['value'], PUSH) } : row

/**
 * The tables whose rows version 3 names otherwise, and the function that makes a row of version 2 one of version 3. Every
 * read does so: a page that was reloaded past its service worker upgrades the database while the worker of the version
 * before goes on writing rows as it knows them, until the user takes the update (decision 0129).
 */
export const RENAMED = {
  prices: inPrices,
  owners: inOwner,
  meta: inMeta,
  notices: (row) => renamed(row, NOTICE),
} satisfies Readonly<Record<string, (row: Row) => Row>>
