import { isDeepStrictEqual } from 'node:util';
import type { ReminderChange } from '#contract/reminder-history.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import { findReminder } from '#features/reminders/reminders.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { NotFound } from '#platform/errors.ts';

const shown = 50;

type Parts = Record<string, unknown>;

/** What the parts of a reminder are called in its history, and their values. */
const partsOf: Record<keyof ReminderInput, (reminder: ReminderInput) => Parts> = {
  name: ({ name }) => ({ title: name }),
  description: ({ description }) => ({ description }),
  status: ({ status }) => ({ status }),
  schedule_config: ({ schedule_config: schedule }) => ({ schedule }),
  content: ({ content: { subject, message, format = 'plain', variables, values, recipients, topic_id: topic } }) => ({
    subject,
    message: [message, format],
    variables: [variables, values],
    recipients,
    topic,
  }),
  metadata: ({ metadata }) => ({
    recipients: [metadata.audience, metadata.event_recipients],
    channels: [metadata.channels, metadata.channel_mode, metadata.pinned_channels],
    priority: metadata.priority,
    'missed occurrences': metadata.misfire,
  }),
};

/** Records which parts of a reminder an edit changed, if any. */
export async function recordEdit(
  ctx: TenantContext,
  { id, before, after }: { id: string; before: ReminderInput; after: ReminderInput },
): Promise<void> {
  const changed = Object.values(partsOf).flatMap((of) => differing(of(before), of(after)));
  if (changed.length === 0) return;
  await recordAct(ctx, {
    action: 'reminder.edited',
    target: id,
    details: { name: after.name, fields: [...new Set(changed)].join(', ') },
  });
}

const differing = (before: Parts, after: Parts) =>
  Object.keys(before).filter((part) => !isDeepStrictEqual(asStored(before[part]), asStored(after[part])));

/** As JSON, in which a missing value and undefined are the same. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Who changed a reminder, when, and which parts, newest first, as far back as the audit log goes. Throws NotFound. */
export async function listReminderChanges(ctx: TenantContext, id: string): Promise<ReminderChange[]> {
  if ((await findReminder(ctx.db, { workspaceId: ctx.workspaceId, id })) === undefined) throw new NotFound('reminder');
  const rows = await findChanges(ctx.db, { workspaceId: ctx.workspaceId, reminderId: id, limit: shown });
  return rows.map(({ actor_kind: kind, actor_name: name, actor_email: email, action, details, ...row }) => ({
    ...row,
    actor: { kind, name: name || email },
    action,
    fields: typeof details.fields === 'string' ? details.fields : null,
    until: typeof details.until === 'string' ? details.until : null,
  }));
}

/** The acts that changed a reminder, newest first. */
const findChanges = (
  db: Db,
  { workspaceId, reminderId, limit }: { workspaceId: string; reminderId: string; limit: number },
) =>
  db
    .selectFrom('audit_log')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'reminder')
    .where('target', '=', reminderId)
    .where('action', 'not in', ['reminder.created', 'reminder.tested'])
    .select(['id', 'created_at', 'actor_kind', 'actor_name', 'actor_email', 'action', 'details'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
