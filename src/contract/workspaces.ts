import { tiers } from '#contract/tiers.ts';
import { z } from 'zod';
import { Id, InstantText, Page, RequiredName, Text, withoutRepeats, withVisibleName } from '#contract/common.ts';
import { consentChannels } from '#contract/consent-channels.ts';
import { get, patch, post } from '#contract/route.ts';
import { FrequencyCap } from '#contract/frequency-cap.ts';
import { misfirePolicies } from '#contract/misfire.ts';
import { SendingHours } from '#contract/sending-hours.ts';

export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

export const Workspace = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  /** What messages and pages for recipients call the sender: `settings.companyName`, or else the workspace's name. */
  company_name: z.string(),
  avatar_url: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
  subscription_status: z.string(),
  subscription_tier: z.enum(tiers),
  subscription_end_date: InstantText.nullable(),
  /** Until when all reminders are paused; it may have passed. Null when they never were. */
  reminders_paused_until: InstantText.nullable(),
  /** From when on its data is deleted; null unless an owner has deleted it. Until then an owner can restore it. */
  delete_after: InstantText.nullable(),
  /** Since when an administrator of the installation suspends it: nothing of it is sent, and its requests are refused. */
  suspended_at: InstantText.nullable(),
  /** When the demo ends; null for a workspace that is none. A demo sends into the sandbox only. */
  demo_until: InstantText.nullable(),
  /** Since when a demo sends nothing more, because it has sent all that a demo may send; null before. */
  demo_spent_at: InstantText.nullable(),
  created_at: InstantText,
  /** The caller's role in the workspace. */
  role: z.enum(roles),
});
export type Workspace = z.output<typeof Workspace>;

const WorkspaceFields = z.strictObject({
  name: RequiredName(100, { missing: 'Workspace name is required' }),
  description: Text(500),
});
/** The settings of a workspace. */
export const WorkspaceSettings = z.strictObject({
  /** The value of `{{company_name}}`; the workspace's name where it is blank. */
  companyName: Text(100).superRefine(withVisibleName),
  allowPublicTemplates: z.boolean(),
  /** Whether completed jobs are archived after 30 days. */
  autoArchiveJobs: z.boolean(),
  /** Whether an SMS or chat message with an unknown outcome is sent again (the default) or not. */
  unknownOutcomes: z.enum(['prefer_duplicate', 'prefer_miss']),
  /** How missed occurrences of reminders without a rule of their own are handled; `latest` by default. */
  misfire: z.enum(misfirePolicies),
  /** Jobs are deleted this many days after their end, with their deliveries and executions; null keeps them. */
  retentionDays: z
    .number()
    .int()
    .min(30, 'must be at least 30 days')
    .max(36_500, 'must be at most 36,500 days')
    .nullable(),
  /** When messages may be sent; without it at any time. */
  sendingHours: SendingHours,
  /** How many messages one person gets; without it any number. */
  frequencyCap: FrequencyCap,
  /** The colour of the line at the head of mails; blank for none. */
  mailColor: z.string().regex(/^(?:#[\da-f]{6})?$/i, 'must be a colour such as #2563eb'),
  /** The sender's postal address, at the foot of mails; may be blank. */
  postalLine: Text(200).superRefine(withVisibleName),
  /** The channels over which nothing is sent without a consent on record; none by default. */
  consentFor: z.array(z.enum(consentChannels)).overwrite(withoutRepeats),
});
export type WorkspaceSettings = z.output<typeof WorkspaceSettings>;

export const WorkspaceInput = WorkspaceFields.extend({ description: WorkspaceFields.shape.description.default('') });

export const workspaceRoutes = {
  listWorkspaces: get('/api/workspaces', {
    access: 'user',
    summary: "List the caller's workspaces",
    answer: Page(Workspace),
  }),
  createWorkspace: post('/api/workspaces', {
    access: 'user',
    summary: 'Create a workspace; the caller becomes its owner',
    body: WorkspaceInput,
    limit: { usage: 'workspaces' },
    answer: Workspace,
    status: 201,
  }),
  updateWorkspace: patch('/api/workspaces/:id', {
    access: 'admin',
    callers: 'people',
    summary: 'Change the current workspace',
    // Fields without defaults: an update keeps what it leaves out.
    body: WorkspaceFields.extend({ settings: WorkspaceSettings.partial() }).partial(),
    answer: Workspace,
  }),
  getWorkspace: get('/api/workspaces/:id', {
    access: 'member',
    callers: 'people',
    whileDeleted: true,
    summary: 'The current workspace, and how many members it has',
    answer: Workspace.extend({ member_count: z.number().int() }),
  }),
};
