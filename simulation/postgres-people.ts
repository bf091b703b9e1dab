import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { emailKey } from '#contract/email-address.ts';
import { workspaceWasDeleted } from '#domain/ledger-reasons.ts';
import { takeKnown } from '#features/channels/reports.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import {
  pauseAllReminders,
  resumeAllReminders,
  stopBegunRuns,
  stopRuns,
} from '#features/reminders/pause-all.service.ts';
import { createAnyReminder, setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { deleteReminder, restoreReminder } from '#features/reminders/deletion.service.ts';
import { removeWish, setWish } from '#features/preferences/preferences.service.ts';
import { updateTopic } from '#features/topics/topics.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { type Database, inTenant } from '#platform/database.ts';
import { AppError } from '#platform/errors.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { isoOf } from '#simulation/tables.ts';
import { type Act, type Done, type JobView, type People, reasonOf, undelivered } from '#simulation/people.ts';

const secrets = createSecretBox(TEST_ENCRYPTION_KEY);

/** The product's own services. An act without a service is written as SQL. */
export function createPostgresPeople(database: Database): People {
  const userId = randomUUIDv7();
  return {
    async act(act, now) {
      let before: JobView[] = [];
      try {
        return await inTenant(database.app, { workspaceId: act.workspaceId, userId }, async (db): Promise<Done> => {
          const ctx: TenantContext = {
            db,
            actor: { kind: 'user', userId },
            now,
            workspaceId: act.workspaceId,
            role: 'owner',
          };
          before = await jobsOf(ctx);
          const id = await perform(act, ctx);
          return { answer: { kind: 'done', id }, before, after: await jobsOf(ctx) };
        });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { answer: { kind: 'refused', code: error.code }, before, after: before };
      }
    },
  };
}

const jobsOf = ({ db, workspaceId }: TenantContext): Promise<JobView[]> =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .select(['id', 'reminder_id', 'type', 'status', 'scheduled_for', 'attempts', 'stop_reason', 'expires_at'])
    .orderBy('id')
    .execute();

async function perform(act: Act, ctx: TenantContext): Promise<string | null> {
  const { db, workspaceId, now } = ctx;
  switch (act.kind) {
    case 'write':
      // Created by an API key, because the users of a simulation have no profiles.
      return (
        await createAnyReminder({ ...ctx, actor: { kind: 'api_key', scopes: [], apiKeyId: workspaceId } }, act.input)
      ).id;
    case 'edit':
      await updateReminder(ctx, { id: act.reminderId, input: act.input });
      return null;
    case 'switch':
      await setReminderStatus(ctx, { id: act.reminderId, status: act.to });
      return null;
    case 'delete':
      await deleteReminder(ctx, act.reminderId);
      return null;
    case 'restore':
      await restoreReminder(ctx, act.reminderId);
      return null;
    case 'test': {
      const test = { recipients: act.recipients, subject: 'Test', message: 'Does it work?' };
      return (await testReminder(ctx, { id: act.reminderId, test })).job_id;
    }
    case 'job':
      await actOnJob(ctx, { id: act.jobId, action: act.action });
      return null;
    case 'suppress': {
      const row = {
        workspace_id: workspaceId,
        channel: act.channel,
        recipient: act.recipient,
        covers: act.covers,
        topic_id: act.topicId,
      };
      await db
        .insertInto('suppressions')
        .values({
          ...row,
          reason: reasonOf(act),
          ends_at: act.seconds === null ? null : isoOf(now.add({ seconds: act.seconds })),
          created_at: now.toString(),
        })
        .onConflict((known) => known.doNothing())
        .execute();
      return null;
    }
    case 'unsuppress':
      await db
        .deleteFrom('suppressions')
        .where('channel', '=', act.channel)
        .where('recipient', '=', act.recipient)
        .where('covers', '=', act.covers)
        .where('topic_id', 'is not distinct from', act.topicId)
        .where('ends_at', act.seconds === null ? 'is' : 'is not', null)
        .execute();
      return null;
    case 'consent': {
      const { channel, recipient, word } = act;
      await sql`
        with known as (insert into consent_texts (workspace_id, id, text) values (${workspaceId}, ${workspaceId}, 'Write to me.') on conflict do nothing)
        insert into consents (workspace_id, channel, recipient, covers, topic_id, kind, method, precedence, text_id, said_at, created_at)
        values (${workspaceId}, ${channel}, ${recipient}, ${word.covers}, ${word.topic_id}, ${word.kind}, 'member', ${word.precedence}, ${workspaceId},
                ${word.said_at}, ${now.toString()})`.execute(db);
      return null;
    }
    case 'wish': {
      const { address, hours } = act;
      const scope = { db, workspaceId };
      const asking = { address, isFresh: true, since: now.toString(), now };
      if (hours === null) await removeWish(scope, asking);
      else await setWish(scope, { ...asking, hours });
      return null;
    }
    case 'topic':
      await updateTopic(ctx, { id: act.topicId, changes: { kind: 'optional' } });
      return null;
    case 'channel':
      await db
        .updateTable('channels')
        .set({ is_active: act.isActive, updated_at: now.toString() })
        .where('id', '=', act.channelId)
        .execute();
      return null;
    case 'contact': {
      const { contactId: id, contact } = act;
      if (contact === null) {
        await sql`delete from contacts where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
        return null;
      }
      const { name, email, phone, tags, variables } = contact;
      const key = email === null ? null : emailKey(email);
      await sql`insert into contacts (id, workspace_id, name, email, email_key, phone, tags, variables)
                values (${id}, ${workspaceId}, ${name}, ${email}, ${key}, ${phone}, ${tags}, ${JSON.stringify(variables)}::jsonb)
                on conflict (id) do update
                   set email = excluded.email, email_key = excluded.email_key, phone = excluded.phone, tags = excluded.tags,
                       variables = excluded.variables`.execute(db);
      return null;
    }
    case 'group':
      await (act.rule === null
        ? sql`delete from contact_groups where workspace_id = ${workspaceId} and id = ${act.groupId}`
        : sql`insert into contact_groups (id, workspace_id, name, rule)
              values (${act.groupId}, ${workspaceId}, ${act.name}, ${JSON.stringify(act.rule)}::jsonb)
              on conflict (id) do update set rule = excluded.rule`
      ).execute(db);
      return null;
    case 'report': {
      const { channel: type, reportId: id, jobId, deliveryId } = act;
      const reports = [{ kind: 'failed' as const, id, jobId, deliveryId, reason: undelivered }];
      const within = { db, now: now.toString(), secrets };
      const { changed } = await takeKnown(within, { workspaceId, adapter: { type, provider: 'simulated' }, reports });
      return changed.length > 0 ? deliveryId : null;
    }
    case 'pauseAll':
      if (act.seconds === 0) await resumeAllReminders(ctx);
      else {
        await pauseAllReminders(ctx, { until: isoOf(now.add({ seconds: act.seconds })) });
        await stopBegunRuns(ctx, db);
      }
      return null;
    case 'deleteWorkspace':
      await sql`update workspaces set delete_after = ${act.isDeleted ? now.add({ hours: 24 * 7 }).toString() : null}
                 where id = ${workspaceId}`.execute(db);
      if (act.isDeleted) await stopRuns(ctx, { db, reason: workspaceWasDeleted });
      return null;
    case 'prefer':
      await sql`update workspaces set settings = settings || ${JSON.stringify({ unknownOutcomes: act.miss ? 'prefer_miss' : 'prefer_duplicate' })}::jsonb
                 where id = ${workspaceId}`.execute(db);
      return null;
    default:
      return act satisfies never;
  }
}
