/** Characters. */
export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** Characters of a message, without the white space around it. */
export const SHORTEST_FEEDBACK = 10
export const LONGEST_FEEDBACK = 5000

/** Days after its registration on which an account goes whose address nobody has verified. */
export const UNVERIFIED_DAYS = 7

/** Days between asking for an account's deletion and the deletion; signing in before that cancels it. */
export const DELETION_GRACE_DAYS = 30
