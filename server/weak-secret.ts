/** Fewer different characters than any random text of 32 has. */
const MIN_DIFFERENT = 10

/** Text that guides and templates put in the place of a secret. */
const PLACEHOLDER =
  /change[-_ ]?me|placeholder|your[-_ ]?(jwt|secret|key)|example|password|^secret|(jwt|super)[-_ ]?secret|insert[-_ ]/i

/** True if a secret was typed rather than drawn: few characters, one pattern over and over, the keyboard in order. */
export function isWeakSecret(secret: string): boolean {
  return (
    new Set(secret).size < MIN_DIFFERENT ||
    PLACEHOLDER.test(secret) ||
    isRepeated(secret) ||
    steps(secret) > secret.length / 2
  )
}

/** Some text again and again, the last time perhaps cut short. */
function isRepeated(text: string): boolean {
  for (let unit = 1; unit <= text.length / 2; unit++) {
    if (text.slice(unit) === text.slice(0, -unit)) return true
  }
  return false
}

/** How many characters follow on the one before, as in "abcdef", "98765" or "aaaa". */
function steps(text: string): number {
  let found = 0
  for (let i = 1; i < text.length; i++) {
    if (Math.abs(text.charCodeAt(i) - text.charCodeAt(i - 1)) <= 1) found += 1
  }
  return found
}
