/** The names of the secrets that stand in a log, as they are or encoded. */
export function secretsIn(log: string, secrets: ReadonlyMap<string, string>): string[] {
  const plain = decodeURIComponent(log.replaceAll('%', '%25')).replaceAll('\\"', '"').toLowerCase()
  const forms = (value: string) => [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]
  return [...secrets].flatMap(([what, value]) =>
    forms(value).some((form) => plain.includes(form.toLowerCase())) ? [what] : [],
  )
}
