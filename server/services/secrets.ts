import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, base64url: for somebody to show later, kept by nobody else. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The stored form of a secret of at least 128 random bits: so many cannot be searched, so that a plain hash does. */
export const hashOfSecret = (secret: string): string => hash('sha256', secret, 'base64url')
