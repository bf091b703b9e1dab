import { z } from 'zod';
import { InstantText, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** For so long after a proof of who uses a session, it may do what is sensitive. */
export const confirmedMinutes = 10;

/**
 * How a person proves who they are. `code`: by their authenticator app or a recovery code, `password`, or `mailed_code` where there
 * is neither. `sign_in`: only by signing in again, as no mail can be sent. `none`: the demo account is not asked.
 */
export const confirmationMethods = ['code', 'password', 'mailed_code', 'sign_in', 'none'] as const;
export type ConfirmationMethod = (typeof confirmationMethods)[number];

export const Confirmation = z.object({
  method: z.enum(confirmationMethods),
  /** When the session is asked again; in the past where it is asked at once. */
  confirmed_until: InstantText,
});
export type Confirmation = z.output<typeof Confirmation>;

export const ConfirmationProof = z
  .strictObject({
    password: Text(200).optional(),
    /** Of the authenticator app. */
    code: Text(20).optional(),
    /** It is used up. */
    recovery_code: Text(40).optional(),
    mailed_code: Text(20).optional(),
  })
  .refine((proof) => Object.keys(proof).length === 1, 'Give one of password, code, recovery_code and mailed_code');
export type ConfirmationProof = z.output<typeof ConfirmationProof>;

export const confirmationRoutes = {
  getConfirmation: route({
    method: 'get',
    path: '/api/confirmation',
    access: 'user',
    summary: 'How the caller confirms who they are, and until when that is not needed',
    answer: Confirmation,
  }),
  confirm: route({
    method: 'post',
    path: '/api/confirmation',
    access: 'user',
    summary: `Confirm who you are: what is sensitive is allowed for ${confirmedMinutes} minutes`,
    body: ConfirmationProof,
    answer: Confirmation,
  }),
  mailConfirmationCode: route({
    method: 'post',
    path: '/api/confirmation/code',
    access: 'user',
    summary: 'Mail a code to somebody who has no password and no authenticator app',
    /** Null: nothing is mailed to who confirms in another way. */
    answer: z.object({ mailed_to: z.string().nullable() }),
  }),
  getTwoFactor: route({
    method: 'get',
    path: '/api/two-factor',
    access: 'user',
    summary: 'Whether signing in asks the caller for a code, and how many recovery codes are left',
    answer: z.object({
      is_on: z.boolean(),
      /** Null while it is off. */
      recovery_codes_left: z.number().int().nullable(),
      /** Without a password, turning it on asks for a mailed code. */
      has_password: z.boolean(),
    }),
  }),
};
