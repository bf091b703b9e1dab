import { z } from 'zod';
import { EmailInput, Empty, Id, InstantText, RequiredName, Text } from '#contract/common.ts';
import { emailLimit } from '#contract/email-address.ts';
import { get, post } from '#contract/route.ts';

export const demoRequestLimits = { name: 100, email: emailLimit, message: 2_000 };

/** How many requests are kept at most, and for how many days. */
export const keptDemoRequests = { most: 1_000, days: 365 };

/** Somebody who asked on the landing page to be shown around. */
export const DemoRequest = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: InstantText,
});
export type DemoRequest = z.output<typeof DemoRequest>;

export const DemoRequestInput = z.strictObject({
  name: RequiredName(demoRequestLimits.name, { missing: 'Name is required' }),
  email: EmailInput,
  message: Text(demoRequestLimits.message).default(''),
  /** A field that people do not see: a program that fills it in is recognised, and its request dropped. */
  website: Text(200).optional(),
});
export type DemoRequestInput = z.output<typeof DemoRequestInput>;

export const demoRequestRoutes = {
  requestDemo: post('/api/demo-requests', {
    access: 'public',
    summary: 'Ask for a demo, from the landing page',
    body: DemoRequestInput,
    maxBodyKiB: 16,
    answer: Empty,
    status: 201,
  }),
  listDemoRequests: get('/api/admin/demo-requests', {
    access: 'system_admin',
    summary: 'Who asked for a demo, newest first: the latest 1,000',
    answer: z.object({ data: z.array(DemoRequest) }),
  }),
};
