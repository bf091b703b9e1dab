import { isDeepStrictEqual } from 'node:util';
import type { ReminderChange } from '#contract/reminder-history.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import { findChanges } from '#features/reminders/changes.db.ts';
import { findReminder } from '#features/reminders/reminders.db.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';

const shown = 50;

type Written = Pick<ReminderInput, 'name' | 'description' | 'status' | 'schedule_config' | 'content' | 'metadata'>;

/** What a reminder consists of, as a person calls it. */
const fields: Record<string, (reminder: Written) => unknown> = {
  title: ({ name }) => name,
  description: ({ description }) => description,
  status: ({ status }) => status,
  schedule: ({ schedule_config: schedule }) => schedule,
  subject: ({ content }) => content.subject,
  message: ({ content }) => content.message,
  variables: ({ content: { variables, values } }) => ({ variables, values }),
  recipients: ({ content, metadata }) => [content.recipients, metadata.audience, metadata.event_recipients],
  channels: ({ metadata }) => [metadata.channels, metadata.channel_mode, metadata.pinned_channels],
  priority: ({ metadata }) => metadata.priority,
  'missed occurrences': ({ metadata }) => metadata.misfire,
};

/** Records which fields of a reminder an edit has changed, if any. */
export async function recordEdit(
  ctx: TenantContext,
  { id, before, after }: { id: string; before: Written; after: Written },
): Promise<void> {
  const changed = Object.entries(fields)
    .filter(([, of]) => !isDeepStrictEqual(asStored(of(before)), asStored(of(after))))
    .map(([name]) => name);
  if (changed.length === 0) return;
  await recordAct(ctx, {
    action: 'reminder.edited',
    target: id,
    details: { name: after.name, fields: changed.join(', ') },
  });
}

/** What is left out is the same as what is undefined. */
const asStored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Who changed a reminder, when and what, newest first, as far as the audit log goes back. Throws NotFound. */
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
