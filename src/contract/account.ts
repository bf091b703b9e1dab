import { z } from 'zod';
import { EmailInput, Id, InstantText, Page, Text } from '#contract/common.ts';
import { del, get, post } from '#contract/route.ts';

/** How the signed-in person signs in. */
export const Account = z.object({
  email: z.string(),
  /** False for people who sign in with Google only. */
  has_password: z.boolean(),
  /** Whether it is the account of a demo, whose address and password cannot be changed. */
  is_demo: z.boolean(),
  /** An address that waits to be confirmed; null when none does. */
  email_change: z.object({ email: z.string(), expires_at: InstantText }).nullable(),
});
export type Account = z.output<typeof Account>;

/** A browser in which the person is signed in. */
export const Device = z.object({
  id: Id,
  /** The `User-Agent` header of its sign-in; null where the browser sent none. */
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  signed_in_at: InstantText,
  /** Exact to ten minutes. */
  last_used_at: InstantText,
  is_current: z.boolean(),
});
export type Device = z.output<typeof Device>;

export const EmailChangeInput = z.strictObject({
  email: EmailInput,
});

export const accountRoutes = {
  getAccount: get('/api/account', {
    access: 'user',
    summary: 'Show how the caller signs in',
    answer: Account,
  }),
  changePassword: post('/api/account/password', {
    access: 'user',
    summary: 'Change the password of the caller; every other session ends',
    body: z.strictObject({ current_password: Text(200), new_password: Text(200) }),
    answer: z.object({ changed: z.literal(true) }),
  }),
  changeEmail: post('/api/account/email', {
    access: 'user',
    summary: 'Ask for another address; it replaces the current one once it is confirmed',
    body: EmailChangeInput,
    needsReauthentication: true,
    limit: { usage: 'address_changes' },
    answer: z.object({ sent_to: z.string() }),
  }),
  confirmEmail: post('/api/account/email/confirm', {
    access: 'user',
    summary: 'Confirm the new address of the caller with the token of the mailed link',
    body: z.strictObject({ token: Text(200) }),
    answer: z.object({ email: z.string() }),
  }),
  cancelEmailChange: del('/api/account/email', {
    access: 'user',
    summary: 'Keep the current address: the link that was mailed to the new one no longer works',
    answer: z.object({ cancelled: z.literal(true) }),
  }),
  listDevices: get('/api/account/devices', {
    access: 'user',
    summary: 'List the browsers in which the caller is signed in, last used first',
    answer: Page(Device),
  }),
  signOutDevice: del('/api/account/devices/:id', {
    access: 'user',
    summary: 'Sign one browser of the caller out',
    answer: z.object({ signed_out: z.literal(true) }),
  }),
  signOutOthers: post('/api/account/devices/sign-out-others', {
    access: 'user',
    summary: 'Sign every browser of the caller out but this one',
    answer: z.object({ signed_out: z.number().int() }),
  }),
};
