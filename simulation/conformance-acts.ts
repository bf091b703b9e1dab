import { hoursWithout } from '#simulation/wishes.ts';
import { jobActions } from '#domain/job-state.ts';
import { recipientKey } from '#domain/recipients.ts';
import { channelId, type ConformanceState, someJob, workspaceIds } from '#simulation/conformance-state.ts';
import { someConsent } from '#simulation/consents.ts';
import type { Act } from '#simulation/people.ts';
import { firstContacts, someContactAct } from '#simulation/contacts.ts';
import { someCoverage, topicsOf } from '#simulation/topics.ts';
import { someReminder } from '#simulation/reminders.ts';

export async function write({ pair, random, now, reminders }: ConformanceState): Promise<void> {
  reminders.count += 1;
  const workspaceId = random.pick(workspaceIds);
  const input = someReminder(random, {
    name: `Reminder ${reminders.count}`,
    now,
    workspaceId,
    hasContacts: true,
    hasChains: false,
  });
  await pair.act({ kind: 'write', workspaceId, input }, now);
}

export async function actOnSomeJob(state: ConformanceState): Promise<void> {
  const { pair, random, now } = state;
  const job = someJob(state);
  if (job === undefined) return;
  const of = { workspaceId: job.workspace_id, jobId: job.id };
  const fitting = Object.entries(jobActions).filter(([, { from }]) => from.some((status) => status === job.status));
  const isFitting = random.chance(0.85);
  for (const action of ['pause', 'resume', 'retry', 'cancel'] as const) {
    const fits = fitting.some(([name]) => name === action);
    if (fits === isFitting && random.chance(0.6)) return void (await pair.act({ kind: 'job', ...of, action }, now));
  }
}

export async function actOnSomeReminder({ pair, random, now }: ConformanceState): Promise<void> {
  const [reminder] = random.shuffled([...pair.tables.reminders.values()]);
  if (reminder === undefined) return;
  const { workspace_id: workspaceId, id: reminderId, name } = reminder;
  const of = { workspaceId, reminderId };
  const recipient = recipientKey(random.pick(['https://one.example/a', 'ben@mail.example', '+4930 1234567']));
  const coverage = someCoverage(workspaceId, { from: name + now.toString() });
  const suppression = { workspaceId, channel: 'webhook' as const, recipient, ...coverage };
  const isSuppressed = pair.tables.suppressions.some(
    (row) =>
      row.workspace_id === workspaceId &&
      row.recipient === recipient &&
      row.covers === coverage.covers &&
      row.topic_id === coverage.topicId &&
      (row.ends_at === null) === (coverage.seconds === null),
  );
  const required = topicsOf(workspaceId).at(-1)?.id ?? '';
  const act: Act = random.pick<() => Act>([
    () => ({
      kind: 'edit',
      ...of,
      input: someReminder(random, { name, now, workspaceId, hasContacts: true, hasChains: false }),
    }),
    () => ({
      kind: 'edit',
      ...of,
      input: {
        ...someReminder(random, { name, now, workspaceId, hasContacts: true, hasChains: false }),
        schedule_config: reminder.schedule_config,
      },
    }),
    () => ({ kind: 'switch', ...of, to: reminder.status === 'active' ? 'paused' : 'active' }),
    () => ({ kind: 'switch', ...of, to: random.pick(['paused', 'active']) }),
    () => ({ kind: reminder.status === 'deleted' ? 'restore' : 'delete', ...of }),
    () => ({ kind: 'test', ...of, recipients: ['https://one.example/test'] }),
    () => ({
      kind: 'wish',
      workspaceId,
      address: recipient,
      hours: random.chance(0.3) ? null : hoursWithout({ fromMs: now.epochMilliseconds, minutes: 7 }),
    }),
    () => ({ kind: isSuppressed ? 'unsuppress' : 'suppress', ...suppression }),
    () => ({
      kind: 'consent',
      workspaceId,
      channel: 'webhook',
      recipient,
      word: someConsent(random, { now, of: reminder.workspace_id }),
    }),
    () => ({
      kind: 'consent',
      workspaceId,
      channel: 'webhook',
      recipient,
      word: { ...someConsent(random, { now, of: reminder.workspace_id }), kind: 'given' },
    }),
    () => ({ kind: 'channel', workspaceId: workspaceIds[0], channelId, isActive: random.chance(0.5) }),
    () => ({ kind: 'prefer', workspaceId, miss: random.chance(0.5) }),
    () => ({ kind: 'topic', workspaceId, topicId: required }),
    () => ({ kind: 'deleteWorkspace', workspaceId, isDeleted: random.chance(0.3) }),
    () => ({ kind: 'pauseAll', workspaceId, seconds: random.pick([0, 0, 30, 600]) }),
  ])();
  await pair.act(act, now);
}

export async function changeContacts({ pair, random, now }: ConformanceState): Promise<void> {
  const workspaceId = random.pick(workspaceIds);
  const acts =
    pair.tables.contacts.size < 4 ? firstContacts(random, workspaceId) : [someContactAct(random, workspaceId)];
  for (const act of acts) await pair.act(act, now);
}
