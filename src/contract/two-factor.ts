import { z } from 'zod';
import { InstantText } from '#contract/common.ts';
import { get } from '#contract/route.ts';

export const TwoFactorState = z.object({
  is_on: z.boolean(),
  /** How many recovery codes are left; null while the second factor is off. */
  recovery_codes_left: z.number().int().nullable(),
  /** From when on this administrator cannot use their rights without it; null for everybody who may do without. */
  required_at: InstantText.nullable(),
  /** Somebody without a password turns it on with a mailed code instead. */
  has_password: z.boolean(),
});
export type TwoFactorState = z.output<typeof TwoFactorState>;

/** The rest of the second factor is below `/api/auth/two-factor`. */
export const twoFactorRoutes = {
  getTwoFactor: get('/api/two-factor', {
    access: 'user',
    summary: 'Whether signing in asks the caller for a code, and how many recovery codes are left',
    answer: TwoFactorState,
  }),
};
