/** Of an account that has accepted nothing yet, and stays. */
export const NOTHING_ACCEPTED = {
  accepted_terms_version: null,
  accepted_terms_at: null,
  accepted_privacy_version: null,
  accepted_privacy_at: null,
  deletion_scheduled_at: null,
}
