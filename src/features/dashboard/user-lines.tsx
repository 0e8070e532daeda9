import { GuestOfferLine } from './guest-offer'
import { VerifyLine } from './verify-line'
import { WayLine } from './way-line'

/** Lines above the board of a user, about what the account still lacks. */
export const UserLines = () => (
  <>
    <VerifyLine />
    <WayLine />
    <GuestOfferLine />
  </>
)
