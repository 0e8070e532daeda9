import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeRule, type RuleMemory, type RuleTerms } from '../../src/domain/judge-rule'
import { MINUTE } from '../../src/domain/granularity'
import { factsOf, RULE_KIND_NAMES } from '../../src/domain/rule-kinds'

const terms: fc.Arbitrary<RuleTerms> = fc.record({
  kind: fc.constantFrom(...RULE_KIND_NAMES),
  level: fc.constantFrom(1, 5, 20),
  margin: fc.constantFrom(0, 0.5, 1),
  holdMinutes: fc.constantFrom(0, 1, 4),
  repeat: fc.constantFrom('each', 'once'),
  expiresAt: fc.constantFrom(null, null, 10 * MINUTE),
})
const measures = fc.array(
  fc.tuple(fc.constantFrom(0, 1, 1, 3), fc.constantFrom(0, 0.5, 0.8, 0.9, 0.97, 1, 1.04, 1.3)),
  {
    minLength: 5,
    maxLength: 30,
  },
)

test('a rule that is judged again by the same measure at the same time stays as it is', () => {
  const verdicts = new Set<string>()
  fc.assert(
    fc.property(terms, fc.constantFrom(1, 20), measures, (rule, size, path) => {
      const unit = size * factsOf(rule.kind).sign
      let memory: RuleMemory = {
        armed: true,
        ended: false,
        epoch: 0,
        dueAt: null,
        anchor: rule.kind.startsWith('since') ? unit : null,
      }
      let now = 0
      for (const [minutes, share] of path) {
        now += minutes * MINUTE
        const once = judgeRule(rule, memory, share * unit, now)
        verdicts.add(once.verdict)
        expect(judgeRule(rule, once.memory, share * unit, now)).toEqual({ verdict: 'same', memory: once.memory })
        memory = once.memory
      }
    }),
    { numRuns: 2000 },
  )
  expect([...verdicts].toSorted()).toEqual(['back', 'expired', 'fired', 'followed', 'held', 'left', 'same'])
})
