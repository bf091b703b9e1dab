import { sql } from 'kysely';
import { randomUUIDv7 } from 'node:crypto';
import { maxOwnedWorkspaces } from '#contract/limits.ts';
import { FrequencyCap } from '#contract/frequency-cap.ts';
import { SendingHours } from '#contract/sending-hours.ts';
import { type Workspace, WorkspaceSettings } from '#contract/workspaces.ts';
import { channelNames } from '#domain/phrase/channels.ts';
import { frequencyCapText } from '#domain/frequency-cap.ts';
import { sendingHoursText } from '#domain/sending-hours-text.ts';
import { assertMayOwnAnother } from '#features/billing/entitlements.service.ts';
import { countMembers } from '#features/workspaces/members.db.ts';
import * as rows from '#features/workspaces/workspaces.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { MemberContext, PersonContext, TenantContext } from '#platform/context.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';

export const listWorkspaces = ({ db, actor }: PersonContext): Promise<Workspace[]> =>
  rows.workspacesOf(db, { userId: actor.userId });

/** Creates a workspace, whose creator becomes its owner. */
export async function createWorkspace(
  ctx: PersonContext,
  input: { name: string; description: string },
): Promise<Workspace> {
  if ((await rows.countOwned(ctx.db, { userId: ctx.actor.userId })) >= maxOwnedWorkspaces)
    throw new Unprocessable(`You own ${maxOwnedWorkspaces} workspaces already, and nobody may own more`);
  if (await rows.ownsDemo(ctx.db, { userId: ctx.actor.userId }))
    throw new Unprocessable('A demo has one workspace. Create an account to have more.');
  await assertMayOwnAnother(ctx);
  const id = randomUUIDv7();
  // Only a transaction within the workspace may write to it.
  await sql`select set_config('app.workspace_id', ${id}, true)`.execute(ctx.db);
  await insertUnderFreeSlug(ctx, { id, name: input.name.trim(), description: input.description.trim() });
  await rows.insertMember(ctx.db, { workspace_id: id, user_id: ctx.actor.userId, role: 'owner' });
  await recordAct(
    { ...ctx, workspaceId: id },
    { action: 'workspace.created', target: id, details: { name: input.name.trim() } },
  );
  const created = await rows.findWorkspace(ctx.db, { workspaceId: id, userId: ctx.actor.userId });
  if (created === undefined) throw new Error('a workspace just created is not there');
  await sql`select set_config('app.workspace_id', '', true)`.execute(ctx.db);
  return created;
}

export async function getWorkspace(ctx: MemberContext): Promise<Workspace & { member_count: number }> {
  const { db, workspaceId, actor } = ctx;
  const found = await rows.findWorkspace(db, { workspaceId, userId: actor.userId });
  if (found === undefined) throw new NotFound('workspace');
  return { ...found, member_count: await countMembers(db, { workspaceId }) };
}

export async function workspaceNameOf(ctx: MemberContext): Promise<string> {
  return (await getWorkspace(ctx)).name;
}

/** Whether the workspace is a demo, which sends into the sandbox only and invites nobody. */
export const isDemo = async ({ db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>): Promise<boolean> =>
  (await rows.findDemoEnd(db, { workspaceId })) !== null;

export async function updateWorkspace(
  ctx: MemberContext,
  changes: { name?: string; description?: string; settings?: Partial<WorkspaceSettings> },
): Promise<Workspace> {
  const { name, description, settings } = changes;
  const before = await rows.lockSettings(ctx.db, { workspaceId: ctx.workspaceId });
  const after = { name: name?.trim(), description: description?.trim(), settings };
  await rows.updateWorkspaceRow(ctx.db, {
    workspaceId: ctx.workspaceId,
    changes: { ...after, updated_at: ctx.now.toString() },
  });
  for (const act of actsOf(before, after)) await recordAct(ctx, { ...act, target: ctx.workspaceId });
  const updated = await rows.findWorkspace(ctx.db, { workspaceId: ctx.workspaceId, userId: ctx.actor.userId });
  if (updated === undefined) throw new NotFound('workspace');
  await announce(ctx, ['workspaces']);
  return updated;
}

/** The settings that would change, in words. */
export async function settingsThatDiffer(
  { db, workspaceId }: TenantContext,
  settings: Partial<WorkspaceSettings>,
): Promise<{ setting: string; from: string; to: string }[]> {
  return settingsChanged(await rows.findSettings(db, { workspaceId }), settings);
}

/** Changes settings; those that are left out stay as they are. */
export async function changeSettings(ctx: TenantContext, settings: Partial<WorkspaceSettings>): Promise<void> {
  const { workspaceId } = ctx;
  const before = await rows.lockSettings(ctx.db, { workspaceId });
  await rows.updateWorkspaceRow(ctx.db, { workspaceId, changes: { settings, updated_at: ctx.now.toString() } });
  for (const act of actsOf(before, { settings })) await recordAct(ctx, { ...act, target: workspaceId });
  await announce(ctx, ['workspaces']);
}

const settingNames: Record<keyof WorkspaceSettings, string> = {
  companyName: 'company name',
  allowPublicTemplates: 'Allow Public Templates',
  autoArchiveJobs: 'Auto Archive Jobs',
  unknownOutcomes: 'unknown outcomes',
  misfire: 'missed occurrences',
  retentionDays: 'days until jobs are deleted',
  sendingHours: 'sending hours',
  frequencyCap: 'frequency cap',
  mailColor: 'colour of mails',
  postalLine: 'postal line of mails',
  consentFor: 'consent required',
};

/** One act for each change of a request. The audit log records who changed a setting that deletes data for good, and its value before. */
function actsOf(before: rows.StoredSettings, { settings = {}, ...after }: Partial<rows.StoredSettings>) {
  return [
    ...changed(before.name, after.name).map((details) => ({ action: 'workspace.renamed' as const, details })),
    ...changed(before.description, after.description).map((details) => ({
      action: 'workspace.details_changed' as const,
      details,
    })),
    ...settingsChanged(before, settings).map((details) => ({ action: 'workspace.settings_changed' as const, details })),
  ];
}

const settingsChanged = (
  { settings: before = {} }: Pick<rows.StoredSettings, 'settings'>,
  after: Record<string, unknown>,
) =>
  Object.entries(settingNames).flatMap(([key, setting]) =>
    changed(before[key], after[key]).map((details) => ({ setting, ...details })),
  );

const changed = (from: unknown, to: unknown) =>
  to === undefined || inWords(from) === inWords(to) ? [] : [{ from: inWords(from), to: inWords(to) }];

function inWords(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const { data: channels } = WorkspaceSettings.shape.consentFor.safeParse(value);
  if (channels !== undefined)
    return channels.length === 0 ? 'not set' : channels.map((one) => channelNames[one]).join(', ');
  const { data: hours } = SendingHours.safeParse(value);
  if (hours !== undefined) return sendingHoursText(hours);
  const { data: cap } = FrequencyCap.safeParse(value);
  return cap === undefined ? 'not set' : frequencyCapText(cap);
}

/** Sets the URL of the workspace's picture; null for none. */
export async function setAvatarUrl(ctx: MemberContext, url: string | null): Promise<void> {
  await rows.setAvatarUrl(ctx.db, { workspaceId: ctx.workspaceId, url });
  await announce(ctx, ['workspaces']);
}

/** Stores until when all reminders are paused; the current time ends the pause. */
export async function pauseReminders(ctx: TenantContext, until: string): Promise<void> {
  await rows.setRemindersPause(ctx.db, { workspaceId: ctx.workspaceId, until });
  await announce(ctx, ['workspaces', 'reminders', 'jobs']);
}

/** Until when all reminders are paused; null when they are not. */
export async function remindersPausedUntil(
  ctx: Pick<TenantContext, 'db' | 'workspaceId' | 'now'>,
): Promise<Temporal.Instant | null> {
  const until = await rows.remindersPause(ctx.db, { workspaceId: ctx.workspaceId });
  if (until === null) return null;
  const end = Temporal.Instant.from(until);
  return Temporal.Instant.compare(ctx.now, end) < 0 ? end : null;
}

/** When a workspace that we may not see has the same name and millisecond in its slug, tries the next millisecond. */
async function insertUnderFreeSlug(
  { db, now }: PersonContext,
  row: { id: string; name: string; description: string },
): Promise<void> {
  for (let at = now; ; at = at.add({ milliseconds: 1 })) {
    if (await rows.insertWorkspace(db, { ...row, slug: slugOf(row.name, at) })) return;
  }
}

/** The spec's rule: the lowercased name with runs of other characters turned into hyphens, a hyphen, a timestamp. */
function slugOf(name: string, now: Temporal.Instant): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${words === '' ? 'workspace' : words}-${now.epochMilliseconds}`;
}
