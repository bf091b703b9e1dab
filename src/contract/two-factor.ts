import { z } from 'zod';
import { InstantText } from '#contract/common.ts';
import { route } from '#contract/route.ts';

export const TwoFactorState = z.object({
  is_on: z.boolean(),
  /** Null while it is off. */
  recovery_codes_left: z.number().int().nullable(),
  /** When the rights of this administrator begin to wait for it; null for everybody who is not asked. */
  required_at: InstantText.nullable(),
  /** Without a password, turning it on asks for a mailed code. */
  has_password: z.boolean(),
});
export type TwoFactorState = z.output<typeof TwoFactorState>;

/** The rest of the second factor is below `/api/auth/two-factor`. */
export const twoFactorRoutes = {
  getTwoFactor: route({
    method: 'get',
    path: '/api/two-factor',
    access: 'user',
    summary: 'Whether signing in asks the caller for a code, and how many recovery codes are left',
    answer: TwoFactorState,
  }),
};
