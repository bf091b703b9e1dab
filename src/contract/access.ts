import { z } from 'zod';
import { Text } from '#contract/common.ts';
import { TimeZone } from '#contract/schedules.ts';
import { get, post } from '#contract/route.ts';

const DemoLink = z.strictObject({ token: Text(200) });

/** Said of a one-time link that cannot be used. */
export const usedSetupLink = 'This link was used already, or is not from the newest start of the server';

/** Entering a demo, and becoming administrator by the link that the terminal prints at the first start. */
export const accessRoutes = {
  getDemoEntrance: get('/api/demo/enter', {
    access: 'public',
    summary: 'The page behind the link into the demo workspace, with a button',
    query: DemoLink,
    answer: 'file',
  }),
  enterDemo: post('/api/demo/enter', {
    access: 'public',
    summary: 'Sign in to the demo workspace, by the button of that page',
    query: DemoLink,
    answer: 'file',
  }),
  beginDemo: post('/api/demo', {
    access: 'public',
    summary: "A demo of one's own, for a day and without an account; it sends into the sandbox only",
    body: z.strictObject({
      /** The visitor's timezone, in which the demo shows and schedules its times; UTC by default. */
      timezone: TimeZone.default('UTC'),
    }),
    maxBodyKiB: 1,
    answer: 'file',
    status: 201,
  }),
  checkAdminSetup: post('/api/admin/setup/check', {
    inMaintenance: true,
    access: 'public',
    summary: 'Whether the one-time link can still be used, before anybody has to sign in for it',
    body: z.strictObject({ token: Text(200) }),
    maxBodyKiB: 1,
    answer: z.object({ usable: z.boolean() }),
  }),
  completeAdminSetup: post('/api/admin/setup', {
    inMaintenance: true,
    access: 'user',
    summary: 'Become system administrator with the one-time link',
    body: z.strictObject({ token: Text(200) }),
    needsReauthentication: true,
    answer: z.object({ completed: z.literal(true) }),
  }),
};
