import type { z } from 'zod';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import type { OwnTestBody } from '#contract/reminder-tests.ts';
import { limits, type Reminder } from '#contract/reminders.ts';
import { variableKey } from '#contract/variable-name.ts';
import { counted } from '#domain/in-words.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { findContactById } from '#features/contacts/lookup.service.ts';
import { sendByJob } from '#features/jobs/message-jobs.service.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import { recordAct } from '#platform/audit.ts';
import { type MemberContext, personOf, type TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { refusedAt, Unauthenticated } from '#platform/errors.ts';

type Test = {
  recipients: string[];
  slack?: boolean;
  push?: boolean;
  subject: string;
  message: string;
  values_of?: string | undefined;
  /** The data that an event would bring. */
  data?: Readonly<Record<string, string>>;
};

/**
 * Sends the message now, to the recipients in the request only, whatever the reminder's status and schedule. Throws Unprocessable when the reminder
 * has no channel for one of them, or the contact does not exist.
 */
export async function testReminder(
  ctx: TenantContext,
  { id, test }: { id: string; test: Test },
): Promise<{ job_id: string }> {
  const reminder = await getReminder(ctx, id);
  const channels = channelsOfTest(reminder, test);
  if (test.data !== undefined && reminder.schedule_config.type !== 'event-based')
    throw refusedAt('data', 'This reminder does not wait for an event');
  const { pinned_channels: pinned } = reminder.metadata;
  const jobId = await sendByJob(ctx, {
    reminderId: id,
    type: 'test_reminder',
    name: `Test: ${reminder.name}`,
    at: ctx.now.toString(),
    maxAttempts: maxAttemptsOf(channels),
    payload: {
      testMode: true,
      recipients: test.recipients,
      channels,
      ...(test.push === true && { push_to: browsersOwner(ctx) }),
      ...(pinned !== undefined && { pinned }),
      content: {
        subject: test.subject,
        message: test.message,
        format: reminder.content.format,
        topic_id: reminder.content.topic_id,
      },
      originalReminder: { id, name: reminder.name },
      values: await valuesOf(ctx, { own: reminder.content.values ?? {}, contactId: test.values_of }),
      ...(test.data !== undefined && { data: test.data }),
      timezone: reminder.schedule_config.timezone,
    },
  });
  await recordAct(ctx, {
    action: 'reminder.tested',
    target: id,
    // Not to whom: the job has their addresses, and is deleted with its time.
    details: {
      name: reminder.name,
      ...(test.recipients.length > 0 && { recipients: counted(test.recipients.length, 'recipient') }),
    },
  });
  return { job_id: jobId };
}

/** Sends a message, perhaps unsaved, to the caller: to their address or their browsers. */
export async function sendToMyself(
  ctx: MemberContext,
  { channel, subject, message, format, values, timezone }: z.output<typeof OwnTestBody>,
): Promise<{ job_id: string }> {
  const { userId } = ctx.actor;
  const own = await findOwnEmail(ctx.db, { userId });
  // The account was deleted after the request had been admitted.
  if (own === undefined) throw new Unauthenticated();
  const title = subject.trim() === '' ? 'Test' : subject;
  const jobId = await sendByJob(ctx, {
    reminderId: null,
    type: 'test_reminder',
    name: Array.from(`Test: ${title}`).slice(0, limits.name).join(''),
    at: ctx.now.toString(),
    maxAttempts: maxAttemptsOf([channel]),
    payload: {
      testMode: true,
      recipients: channel === 'email' ? [own.email] : [],
      channels: [channel],
      ...(channel === 'push' && { push_to: userId }),
      content: { subject: title, message, format },
      values,
      timezone,
    },
  });
  return { job_id: jobId };
}

/** The values of the message: the reminder's own replace those of the chosen contact. */
async function valuesOf(
  ctx: TenantContext,
  { own, contactId }: { own: Readonly<Record<string, string>>; contactId: string | undefined },
): Promise<Record<string, string>> {
  if (contactId === undefined) return { ...own };
  const contact = await findContactById(ctx, contactId);
  if (contact === null) throw refusedAt('values_of', 'There is no such contact');
  const { name, phone, variables } = contact;
  const replaced = new Set(Object.keys(own).map(variableKey));
  const named = {
    ...variables,
    ...(name !== null && { recipient_name: name }),
    ...(phone !== null && { recipient_phone: phone }),
  };
  return { ...Object.fromEntries(Object.entries(named).filter(([each]) => !replaced.has(variableKey(each)))), ...own };
}

/**
 * A test must not write to a whole team, so Slack and push are included only if the request asks for them, and push goes only to the
 * sender's own browsers.
 */
function channelsOfTest({ metadata }: Pick<Reminder, 'metadata'>, test: Test): ChannelType[] {
  const addressed = metadata.channels.filter(isAddressed);
  if (test.recipients.length > 0 && addressed.length === 0)
    throw refusedAt('recipients', 'This reminder has no channel that takes recipients');
  for (const channel of ['slack', 'push'] as const)
    if (test[channel] === true && !metadata.channels.includes(channel))
      throw refusedAt(channel, `This reminder does not use the ${channel} channel`);
  return metadata.channels.filter((channel) =>
    isAddressed(channel) ? test.recipients.length > 0 : test[channel] === true,
  );
}

function browsersOwner({ actor }: TenantContext): string {
  const userId = personOf(actor);
  if (userId === null) throw refusedAt('push', 'An API key has no browser to push a test to');
  return userId;
}

const findOwnEmail = (db: Db, { userId }: { userId: string }) =>
  db.selectFrom('profiles').where('id', '=', userId).select('email').executeTakeFirst();
