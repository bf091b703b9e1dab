import { billingModes } from '#contract/tiers.ts';
import { z } from 'zod';
import { DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import { get } from '#contract/route.ts';

const Clock = {
  /** How far the clock of the process's machine is ahead of the database's, where that is two seconds or more. */
  clock_offset_seconds: z.number().optional(),
};

export const installationRoutes = {
  getConfig: get('/api/config', {
    inMaintenance: true,
    access: 'public',
    summary: 'What this installation offers',
    answer: z.object({
      google: z.boolean(),
      sandbox: z.boolean(),
      email_verification: z.boolean(),
      /** Whether it can send mail about accounts, such as the link that resets a password. */
      account_mail: z.boolean(),
      min_password_length: z.number().int(),
      /** Who takes payments; with `off` no plan limits anything. */
      billing: z.enum(billingModes),
      demo: z.boolean(),
      /** Where people find help; null where it is not configured. */
      support_email: z.string().nullable(),
      support_phone: z.string().nullable(),
      version: z.string(),
    }),
  }),
  getHealth: get('/api/health', {
    inMaintenance: true,
    access: 'public',
    summary: 'The process is alive',
    answer: z.object({ status: z.literal('ok') }),
  }),
  getReady: get('/api/ready', {
    inMaintenance: true,
    access: 'public',
    summary:
      'The database answers, and no newer version has taken it over; `paused` while deliveries wait to be resumed',
    answer: z.discriminatedUnion('status', [
      z.object({ status: z.literal('ready'), ...Clock }),
      DeliveryPauseNotice.extend({ status: z.literal('paused'), ...Clock }),
    ]),
  }),
  getOpenApi: get('/api/openapi.json', {
    access: 'public',
    summary: 'This API as an OpenAPI 3.1 document',
    answer: 'file',
  }),
};
