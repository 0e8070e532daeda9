/** What is said where a pair, or what can be done with it, is not there any more. */
export const PAIR_GONE = 'This pair is no longer on your dashboard.'
export const PAIR_INACTIVE = 'This pair is inactive now.'
export const LISTS_NEED_PREMIUM = 'Upgrade to manage multiple checkpoints'
