import { LONGEST_PASSWORD } from '../../../src/domain/account'
import { ApiError } from '../../http/api-error'
import { PRODUCT } from '../mail/mail-templates'

const WORDS = 'This password is one of the most common ones, or too much like one. Please choose another.'

/**
 * Refuses a password that is guessed among the first: one of the list of zxcvbn-ts (49,000 that leaks hold most often), the
 * user's own address, or a word of what this is about; one of them repeated, with signs or accents in the place of letters, with
 * signs between them, or with up to eight digits and signs around it or each time behind it; several words of address and subject,
 * also beside one of the list; and a date, another short number, a row of letters or two characters in turns. Look-ups alone, whose
 * time no crafted password can lengthen: an estimator of guesses held up the thread that answers everybody.
 * @param own the account's address, and the field of the request's body that the answer names
 * @throws ApiError COMMON_PASSWORD
 */
export async function refuseCommonPassword(
  password: string,
  { email, field }: { readonly email: string; readonly field: 'password' | 'new_password' },
): Promise<void> {
  common ??= readList().catch((error: unknown) => {
    // The next request tries again.
    common = null
    throw error
  })
  const list = await common
  const own = wordsOf(email)
  const plain = plainForm(password).slice(0, LONGEST_PASSWORD)
  const isCommon =
    isShortNumber(plain) ||
    isRow(plain) ||
    readings(plain).some((text) => {
      const rest = [...own].reduce((left, word) => left.replaceAll(word, ''), text)
      return list.has(rest) || (rest !== text && /^\P{L}{0,8}$/u.test(rest))
    })
  if (isCommon) throw new ApiError('COMMON_PASSWORD', WORDS, { errors: [{ path: `body.${field}`, message: WORDS }] })
}

/** In small letters, without accents and what cannot be seen, and with the plain form of wide and other letters (UAX #15). */
const plainForm = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()

/** A date or a number of up to eight digits, however it is written. */
const isShortNumber = (plain: string): boolean =>
  /^[\d\s.,:/-]+$/.test(plain) && plain.replaceAll(/\D/g, '').length <= 8

/** Three characters again and again, two in any order, or a row of the alphabet or of digits. */
const isRow = (plain: string): boolean =>
  new Set(plain).size <= 2 || /^(.{3})\1+$/s.test(plain) || ROWS.some((row) => row.includes(plain))

const DIGITS = '0123456789'.repeat(2)
const BACKWARDS = '9876543210'.repeat(2)
const ROWS = ['abcdefghijklmnopqrstuvwxyz', 'zyxwvutsrqponmlkjihgfedcba', DIGITS, BACKWARDS]

/** More digits and signs around a word make a password of their own. */
const MOST_AROUND = 8

/** The words that a password may be made of: as it is, without what is around or between, once, and with signs as letters. */
const readings = (plain: string): readonly string[] =>
  [plain, plain.replaceAll(/[^\p{L}\p{N}]/gu, '')]
    .flatMap(withoutAround)
    .map((text) => (/^(.+?)\1+$/s.exec(text) ?? /^(\p{L}\D*?)(?:\P{L}{0,8}\1)+\P{L}{0,8}$/su.exec(text))?.[1] ?? text)
    .flatMap((text) => [text, asLetters(text, 'i'), asLetters(text, 'l')])

/** The text, and where it has letters the same without the digits and signs before it, behind it and both. */
function withoutAround(text: string): readonly string[] {
  const [, before = '', word = '', behind = ''] = /^(\P{L}*)(.*?)(\P{L}*)$/su.exec(text) ?? []
  const bare = [before + word, word + behind, word].filter((part) => text.length - part.length <= MOST_AROUND)
  return word === '' ? [text] : [text, ...bare]
}

/** Signs, and below each the letter that it stands for. */
const SIGNS = '@48(3690$57+2'
const LETTERS = 'aabceggossttz'

/** @param one the letter that 1, | and ! stand for */
const asLetters = (text: string, one: 'i' | 'l'): string =>
  text.replaceAll(/[1|!]/g, one).replaceAll(/\P{L}/gu, (sign) => LETTERS[SIGNS.indexOf(sign)] ?? sign)

/** A stranger tries these first here (NIST SP 800-63B, context-specific words): our name and the subject. */
const SUBJECT = ['cryptocurrency', 'blockchain', ...PRODUCT.split(' '), 'bitcoin', 'ethereum', 'satoshi'].map(plainForm)

/** The address, its parts, and the words of the subject. */
function wordsOf(email: string): ReadonlySet<string> {
  const address = plainForm(email)
  const [name = ''] = address.split('@')
  const parts = [address, ...address.split('@'), name.replaceAll(/\P{L}/gu, ''), ...address.split(/\P{L}+/u)]
  return new Set([...parts.filter((word) => word.length >= SHORTEST_WORD), ...SUBJECT])
}

/** Shorter ones make up too little of a password. */
const SHORTEST_WORD = 4

let common: Promise<ReadonlySet<string>> | null = null

/** The list is loaded for the first new password: a server that starts does not need it. */
async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= SHORTEST_WORD))
}
