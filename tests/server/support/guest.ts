import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Checkpoint } from '../../../src/contract/checkpoint'
import type { ErrorBody } from '../../../src/contract/errors'
import { anonymousId } from '../../../src/domain/ids'
import { type Answered, key, type Person, person, SAVED_AT } from './person'
import { START } from './test-clock'

/** A new guest's identity, as its browser makes it. */
export const newGuest = (): string => anonymousId(START, randomBytes(24))

/** A guest: a caller without an account. */
export interface Guest extends Person {
  readonly id: string
  saveCheckpoint(widget: string, ratio: number, op?: string): Promise<Answered<Checkpoint & ErrorBody>>
  deleteCheckpoint(widget: string, op?: string): Promise<Answered<ErrorBody | undefined>>
}

export function guest(app: FastifyInstance, id: string = newGuest()): Guest {
  const me = person(app, async () => ({ 'x-anonymous-user-id': id }))
  return {
    ...me,
    id,
    saveCheckpoint: (widget, ratio, op) =>
      me.ask('POST', `/widgets/${widget}/checkpoints/anonymous`, { ratio, timestamp: SAVED_AT }, key(op)),
    deleteCheckpoint: (widget, op) => me.ask('DELETE', `/widgets/${widget}/checkpoints/checkpoint`, undefined, key(op)),
  }
}
