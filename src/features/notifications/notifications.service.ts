import type { z } from 'zod';
import { isAddressed } from '#contract/channel-types.ts';
import type { SendPayload } from '#contract/job-payloads.ts';
import type { JobInput, NotificationInput } from '#contract/notifications.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import type { Template } from '#contract/templates.ts';
import { messageOfTemplate } from '#domain/message-of-template.ts';
import { targetsOf } from '#domain/recipients.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { firstOccurrence } from '#domain/schedule.ts';
import { nameForMany } from '#domain/job-name.ts';
import { assertCanSend, type RoutePorts } from '#features/channels/route.service.ts';
import { nameCaller, sendByJob } from '#features/jobs/message-jobs.service.ts';
import { assertCanStart } from '#features/reminders/activation.service.ts';
import { nextJobOf } from '#features/reminders/occurrence.service.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { countUse, getTemplate } from '#features/templates/templates.service.ts';
import { assertTopic } from '#features/topics/topics.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { AppError, Invalid, NotFound, refusedAt, Unprocessable } from '#platform/errors.ts';

/** With how many requests of Cuebird led to this one. */
type SendPorts = RoutePorts & { hops: number };

/** Sends one message now. Throws with the fields of the request that have to be corrected. */
export async function sendNotification(
  ctx: TenantContext,
  { recipient, ...input }: NotificationInput,
  ports: SendPorts,
): Promise<{ job_id: string }> {
  const recipients = recipient === undefined ? [] : [recipient];
  const once = { type: 'scheduled', scheduleType: 'once', startDate: ctx.now.toString(), timezone: 'UTC' } as const;
  const written = await messageFrom(ctx, { ...input, recipients, schedule: once, recipientField: 'recipient' }, ports);
  const { name } = written.template;
  const jobId = await insertJob(ctx, { ...written, name, at: ctx.now, hops: ports.hops });
  if (ctx.actor.kind === 'user')
    await recordAct(ctx, { action: 'message.sent', target: jobId, details: { name: nameForMany(name) } });
  return { job_id: jobId };
}

/** Schedules a message: a single one as a job, a repeated one as a reminder. Throws with the fields of the request that have to be corrected. */
export async function createJob(
  ctx: TenantContext,
  input: JobInput,
  ports: SendPorts,
): Promise<{ job_id: string; reminder_id?: string }> {
  const name = input.name.trim();
  const written = await messageFrom(ctx, { ...input, recipientField: 'recipients' }, ports);
  if (input.schedule.scheduleType === 'once') {
    const at = firstOccurrence(input.schedule, { now: ctx.now });
    if (at === null) throw new Error('a schedule that can run has no occurrence');
    return { job_id: await insertJob(ctx, { ...written, name, at, hops: ports.hops }) };
  }
  // Each of its occurrences could schedule another one.
  if (ports.hops > 0) throw new Unprocessable('A message of Cuebird cannot schedule a message that is repeated');
  const reminder = await createReminder(ctx, {
    name,
    description: null,
    status: 'active',
    schedule_config: written.schedule_config,
    content: written.content,
    metadata: written.metadata,
  });
  const jobId = await nextJobOf(ctx, reminder.id);
  if (jobId === null) throw new Error('an active reminder has no next job');
  await nameCaller(ctx, jobId);
  return { job_id: jobId, reminder_id: reminder.id };
}

type Asked = Pick<
  JobInput,
  'template_id' | 'topic_id' | 'channel_id' | 'priority' | 'variables' | 'recipients' | 'schedule'
> & {
  recipientField: 'recipient' | 'recipients';
};

type Written = Pick<ReminderInput, 'schedule_config' | 'content' | 'metadata'>;

/** The message in the form of a reminder, with the checks of activating one. */
async function messageFrom(
  ctx: TenantContext,
  {
    template_id: id,
    topic_id: topicId,
    channel_id: channelId,
    priority,
    variables,
    recipients,
    schedule,
    recipientField,
  }: Asked,
  ports: RoutePorts,
): Promise<Written & { template: Template }> {
  const template = await templateNamed(ctx, id);
  const { type } = template.content;
  await assertCanSend(ctx, { type, channelId }, ports);
  assertReaches(recipients, { type, field: recipientField });
  const { subject, message, defaults } = messageOfTemplate(template);
  const proposed = template.content.topic_id;
  const topic = topicId ?? proposed;
  await assertTopic(ctx, { topicId: topic, before: proposed, path: 'topic_id' });
  const written: Written = {
    schedule_config: schedule,
    content: {
      // A reminder needs a subject, which a text message does not have.
      subject: subject.trim() === '' ? template.name : subject,
      message,
      format: template.content.format,
      values: { ...defaults, ...variables },
      recipients,
      ...(topic !== undefined && { topic_id: topic }),
    },
    metadata: {
      channels: [type],
      priority,
      source: 'api',
      template_id: id,
      ...(channelId !== undefined && { pinned_channels: { [type]: channelId } }),
    },
  };
  await assertCanStart(ctx, written).catch((error: unknown) => {
    throw inRequestFields(error);
  });
  return { ...written, template };
}

/** The template. Throws Invalid where it does not exist or is empty. */
async function templateNamed(ctx: TenantContext, id: string): Promise<Template> {
  const refuse = (message: string) => new Invalid([{ path: 'template_id', message }]);
  try {
    const template = await getTemplate(ctx, id);
    if (template.content.body.trim() === '') throw refuse('This template has no text');
    return template;
  } catch (error) {
    throw error instanceof NotFound ? refuse('There is no such template in this workspace') : error;
  }
}

/** Refuses the request if no recipient fits the channel. Where some do, the ledger says why the others get nothing. */
function assertReaches(
  recipients: readonly string[],
  { type, field }: { type: Template['content']['type']; field: Asked['recipientField'] },
): void {
  const refuse = (message: string) => refusedAt(field, message);
  if (!isAddressed(type)) {
    if (recipients.length > 0)
      throw refuse(`A ${type} message goes to the browsers of all members: leave ${field} out`);
    return;
  }
  if (recipients.length === 0) throw refuse('At least one recipient is required');
  const problems = targetsOf(recipients, [type]).map(({ problem }) => problem);
  const [first] = problems;
  if (first !== undefined && first !== null && !problems.includes(null)) throw refuse(first.reason);
}

/** Translates the fields in a reminder's refusal to those of the request. */
function inRequestFields(error: unknown): unknown {
  if (!(error instanceof AppError) || error.fields === undefined) return error;
  const fields = error.fields.map(({ path, message }) => ({
    path: path.replace(/^schedule_config/, 'schedule').replace(/^content\.values/, 'variables'),
    message,
  }));
  return new AppError(error.code, error.message, fields);
}

async function insertJob(
  ctx: TenantContext,
  {
    name,
    at,
    template,
    schedule_config: schedule,
    content,
    metadata,
    hops,
  }: Written & {
    name: string;
    at: Temporal.Instant;
    hops: number;
    template: Template;
  },
): Promise<string> {
  await countUse(ctx, { id: template.id, path: 'template_id' });
  const { subject, message, format, topic_id: topic, values = {}, recipients } = content;
  const { channels, priority, pinned_channels: pinned = {} } = metadata;
  const payload: z.input<typeof SendPayload> & { template_id: string } = {
    channels,
    recipients,
    pinned,
    content: { subject, message, format, ...(topic !== undefined && { topic_id: topic }) },
    values,
    timezone: schedule.timezone,
    priority,
    template_id: template.id,
    ...(ctx.actor.kind === 'api_key' && { api_key_id: ctx.actor.apiKeyId }),
    ...(hops > 0 && { hops }),
  };
  return sendByJob(ctx, {
    reminderId: null,
    type: 'api_notification',
    name,
    at: new Date(at.epochMilliseconds).toISOString(),
    maxAttempts: maxAttemptsOf(channels),
    payload,
  });
}
