import { z } from 'zod';
import { type EarlierText } from '#contract/reminder-history.ts';
import { ReminderContent } from '#contract/reminders.ts';
import { findEarlierTexts } from '#features/reminders/earlier-texts.db.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';

const shown = 20;

const Text = z.object(ReminderContent.shape).pick({ subject: true, message: true, format: true });

/** The texts of the reminder before its edits, newest first. Throws NotFound. */
export async function listEarlierTexts(ctx: TenantContext, id: string): Promise<EarlierText[]> {
  await getReminder(ctx, id);
  const { rows } = await findEarlierTexts(ctx.db, { workspaceId: ctx.workspaceId, reminderId: id, limit: shown });
  return rows.map(({ revision, content, last_sent_at }) => ({ revision, ...Text.parse(content), last_sent_at }));
}
