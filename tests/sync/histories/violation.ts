const RULES = {
  once: 'nothing is lost and nothing happens twice',
  equal: 'screen and server end equal',
  order: 'the order of what was done is kept',
  steady: 'the screen does not flicker and never shows a thing twice',
  owner: 'one owner never acts as another',
  calm: 'nothing is sent in a hot loop, and everything ends',
  session: 'a session ends only by the server’s word',
  refusal: 'nothing is refused that nobody else caused',
  list: 'a list of checkpoints keeps its rules',
} as const
export type Rule = keyof typeof RULES

/** A rule that did not hold. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly rule: Rule
  constructor(rule: Rule, message: string) {
    super(`${rule}: ${message}`)
    this.rule = rule
  }
}
