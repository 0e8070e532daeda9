import { uuidOf } from '../domain/ids'

export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count))

/** `crypto.randomUUID` exists only over https and on localhost; a self-hosted app may run on neither. */
export const uuid = (): string => uuidOf(randomBytes(16))
