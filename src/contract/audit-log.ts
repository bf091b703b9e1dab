import { z } from 'zod';
import { ActKind } from '#contract/acts.ts';
import { Id, InstantInput, InstantText, Page, PageQuery, Text } from '#contract/common.ts';
import { get } from '#contract/route.ts';

/** `stranger`: somebody who was not signed in. `administrator`: of the installation. `system`: Cuebird itself. */
export const ActorKind = z.enum(['person', 'api_key', 'stranger', 'administrator', 'system']);
export type ActorKind = z.output<typeof ActorKind>;

/** Who did it. Name and email are those at the time of the act: the account or the key may be deleted since. */
const Actor = z.object({
  kind: ActorKind,
  id: Id.nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
});

export const Act = z.object({
  id: Id,
  created_at: InstantText,
  actor: Actor,
  action: z.string(),
  /** The act in plain words, as in "Removed a member: Finn Moss (finn@example.com)". */
  text: z.string(),
  target: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  /** The network address that the request came from; null for acts without a request. */
  client_address: z.string().nullable(),
});
export type Act = z.output<typeof Act>;

/** An actor that the audit log can be filtered by. */
export const ActorChoice = z.object({ id: Id, name: z.string(), email: z.string().nullable() });
export type ActorChoice = z.output<typeof ActorChoice>;

const Matches = {
  /** The id of a person or an API key: finds what they did, and what others tried with their account. */
  who: Id.optional(),
  kind: ActKind.optional(),
  /** Only acts in [from, to); the caller computes when a day begins and ends in its zone. */
  from: InstantInput.optional(),
  to: InstantInput.optional(),
};

/** How many days entries are kept. */
export const auditLogDays = 400;

/** How far back a search in the installation's log looks where no day is named. */
export const searchedDays = 90;

/** A workspace whose data has been deleted, a week after an owner deleted it. */
export const GoneWorkspace = z.object({ id: Id, name: z.string().nullable(), deleted_at: InstantText });
export type GoneWorkspace = z.output<typeof GoneWorkspace>;

export const auditLogRoutes = {
  listActs: get('/api/audit-log', {
    access: 'admin',
    callers: 'people',
    summary: 'The audit log of the workspace, newest first',
    query: PageQuery.extend(Matches),
    answer: Page(Act),
  }),
  listActors: get('/api/audit-log/actors', {
    access: 'admin',
    callers: 'people',
    summary: 'The people and API keys in the audit log of the workspace; 500 at the most',
    answer: Page(ActorChoice),
  }),
  exportActs: get('/api/audit-log/export', {
    access: 'admin',
    callers: 'people',
    summary: 'The audit log of the workspace as CSV, newest first; the export is an act itself',
    query: z.strictObject({ ...Matches, workspace: Id.optional() }),
    limit: { usage: 'audit_exports' },
    answer: 'file',
  }),
  listInstallationActs: get('/api/admin/audit-log', {
    access: 'system_admin',
    summary:
      'The acts that belong to no workspace: sign-ins, accounts, administration; or those of a workspace that is gone. Newest first',
    query: PageQuery.extend({
      ...Matches,
      workspace: Id.optional(),
      /** Text in names, addresses and details; searches the last 90 days where `from` is left out. */
      search: Text(200).optional(),
    }),
    answer: Page(Act),
  }),
  listGoneWorkspaces: get('/api/admin/gone-workspaces', {
    access: 'system_admin',
    summary: 'The workspaces that were deleted for good within the last 400 days, latest first',
    query: PageQuery,
    answer: Page(GoneWorkspace),
  }),
};
