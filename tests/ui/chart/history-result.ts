import type { CallResult } from '../../../src/db/call'

/** A history request as the engine answers it. */
export const historyResult = (fetched: Promise<void>): Promise<CallResult<null>> =>
  fetched.then(
    () => ({ ok: true, value: null }),
    ({ message }: Error) => ({ ok: false, status: 503, error_code: null, message }),
  )
