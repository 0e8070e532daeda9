/** Passkeys that one account may have. */
export const MOST_PASSKEYS = 10
/** Characters. */
export const LONGEST_PASSKEY_NAME = 60
/** Recovery codes that an account has at a time; each signs in once in place of a passkey. */
export const RECOVERY_CODES = 10

const GROUP = 5
const CODE_LENGTH = 20

/** As people read and type it: groups of five. */
export const formatRecoveryCode = (code: string): string =>
  Array.from({ length: code.length / GROUP }, (_, group) => code.slice(group * GROUP, (group + 1) * GROUP)).join('-')

/**
 * The code that somebody typed, without hyphens and spaces and with the letters that are easily misread put right
 * (Crockford's Base32). Null: it cannot be a recovery code.
 */
export function readRecoveryCode(typed: string): string | null {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return code.length === CODE_LENGTH && /^[0-9A-HJKMNP-TV-Z]+$/.test(code) ? code : null
}
