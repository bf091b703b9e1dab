import { z } from 'zod';
import { InstantText, Text } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';

/** For how many minutes after proving who uses it a session may do what is sensitive (OWASP ASVS, re-authentication). */
export const reauthenticationMinutes = 10;

/**
 * How a person proves who they are. `code`: by their authenticator app or a recovery code, `password`, or `mailed_code` where there
 * is neither. `sign_in`: only by signing in again, as no mail can be sent. `none`: the demo account is not asked.
 */
export const reauthenticationMethods = ['code', 'password', 'mailed_code', 'sign_in', 'none'] as const;
export type ReauthenticationMethod = (typeof reauthenticationMethods)[number];

export const ReauthenticationState = z.object({
  method: z.enum(reauthenticationMethods),
  /** Until when the session is not asked again; in the past when it would be asked at once. */
  reauthenticated_until: InstantText,
});
export type ReauthenticationState = z.output<typeof ReauthenticationState>;

export const ReauthenticationProof = z
  .strictObject({
    password: Text(200).optional(),
    /** A code of the authenticator app. */
    code: Text(20).optional(),
    /** A recovery code, which works once. */
    recovery_code: Text(40).optional(),
    mailed_code: Text(20).optional(),
  })
  .refine((proof) => Object.keys(proof).length === 1, 'Give one of password, code, recovery_code and mailed_code');
export type ReauthenticationProof = z.output<typeof ReauthenticationProof>;

export const reauthenticationRoutes = {
  getReauthentication: get('/api/reauthentication', {
    access: 'user',
    summary: 'How the caller confirms who they are, and until when that is not needed',
    answer: ReauthenticationState,
  }),
  reauthenticate: post('/api/reauthentication', {
    access: 'user',
    summary: `Confirm who you are: what is sensitive is allowed for ${reauthenticationMinutes} minutes`,
    body: ReauthenticationProof,
    answer: ReauthenticationState,
  }),
  mailReauthenticationCode: post('/api/reauthentication/code', {
    access: 'user',
    summary: 'Mail a code to somebody who has no password and no authenticator app',
    /** The address that the code was mailed to; null where the person proves it in another way. */
    answer: z.object({ mailed_to: z.string().nullable() }),
  }),
};
