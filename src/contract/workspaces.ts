import { z } from 'zod';
import { Id, IdParams, InstantText, Page, RequiredText, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';
import { SendingHours } from '#contract/sending-hours.ts';

export const roles = ['owner', 'admin', 'member'] as const;
export type Role = (typeof roles)[number];

export const Workspace = z.object({
  id: Id,
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  avatar_url: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
  subscription_status: z.string(),
  subscription_tier: z.enum(['free', 'basic', 'premium', 'enterprise']),
  subscription_end_date: InstantText.nullable(),
  created_at: InstantText,
  /** The caller's own role in it. */
  role: z.enum(roles),
});
export type Workspace = z.output<typeof Workspace>;

const WorkspaceFields = z.strictObject({
  name: RequiredText(100, { missing: 'Workspace name is required' }),
  description: Text(500),
});
/** What a workspace decides for itself. */
const WorkspaceSettings = z.strictObject({
  allowPublicTemplates: z.boolean(),
  /** Completed jobs leave the lists after 30 days. */
  autoArchiveJobs: z.boolean(),
  /** What becomes of an SMS or chat message that may have arrived: it is sent once more, if nothing is said, or not again. */
  unknownOutcomes: z.enum(['prefer_duplicate', 'prefer_miss']),
  /** After so many days jobs that have ended are deleted, with their deliveries and executions; null keeps them. */
  retentionDays: z.number().int().min(30, 'must be at least 30 days').max(36_500).nullable(),
  /** When messages may go out; at any time, if nothing is said. */
  sendingHours: SendingHours,
});
export type WorkspaceSettings = z.output<typeof WorkspaceSettings>;

export const WorkspaceInput = WorkspaceFields.extend({ description: WorkspaceFields.shape.description.default('') });

export const Member = z.object({
  id: Id,
  workspace_id: Id,
  user_id: Id,
  role: z.enum(roles),
  joined_at: InstantText,
  full_name: z.string().nullable(),
  email: z.string(),
  avatar_url: z.string().nullable(),
});

export const workspaceRoutes = {
  listWorkspaces: route({
    method: 'get',
    path: '/api/workspaces',
    access: 'user',
    summary: 'The workspaces that the caller belongs to',
    answer: Page(Workspace),
  }),
  createWorkspace: route({
    method: 'post',
    path: '/api/workspaces',
    access: 'user',
    summary: 'Create a workspace; the caller becomes its owner',
    body: WorkspaceInput,
    answer: Workspace,
    status: 201,
  }),
  updateWorkspace: route({
    method: 'patch',
    path: '/api/workspaces/:id',
    access: 'admin',
    callers: 'people',
    summary: 'Rename, describe or set up the current workspace',
    params: IdParams,
    // Of the fields without defaults: what is left out stays as it is.
    body: WorkspaceFields.extend({ settings: WorkspaceSettings.partial() }).partial(),
    answer: Workspace,
  }),
  listMembers: route({
    method: 'get',
    path: '/api/workspaces/:id/members',
    access: 'member',
    summary: 'Who belongs to the current workspace',
    params: IdParams,
    answer: Page(Member),
  }),
};
