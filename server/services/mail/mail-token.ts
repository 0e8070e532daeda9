import { createHash, randomBytes } from 'node:crypto'

/** What a link in a mail carries: 256 random bits, base64url. It is in the mail and nowhere else. */
export const newMailToken = (): string => randomBytes(32).toString('base64url')

/** What is stored of it. A token that random cannot be searched for, so that a plain hash does. */
export const hashOfMailToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
