import type { ChannelInput } from '#contract/channels.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import { reminderWasEdited } from '#domain/ledger-reasons.ts';
import { type ChannelPorts, createChannel } from '#features/channels/channels.service.ts';
import { createGroup } from '#features/contact-groups/contact-groups.service.ts';
import { listContacts } from '#features/contacts/contacts.service.ts';
import { recordChoices } from '#features/consents/choices.service.ts';
import { saveContacts } from '#features/contacts/import.service.ts';
import { demoContacts } from '#features/demo/demo.contacts.ts';
import {
  type DemoParts,
  type DemoReminder,
  demoReminders,
  demoTopics,
  groupTags,
} from '#features/demo/demo.reminders.ts';
import { demoCategories, starterNamed } from '#features/demo/demo.templates.ts';
import * as rows from '#features/demo/past/past-runs.db.ts';
import { pastDays, pastRuns, type StoredReminder } from '#features/demo/past/past-runs.ts';
import { scheduleReminder } from '#features/reminders/occurrence.service.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { createCategory } from '#features/template-categories/template-categories.service.ts';
import { createTemplate } from '#features/templates/templates.service.ts';
import { createTopic } from '#features/topics/topics.service.ts';
import { updateWorkspace } from '#features/workspaces/workspaces.service.ts';
import type { MemberContext } from '#platform/context.ts';
import type { SandboxAddresses } from '#sandbox/addresses.ts';

export type FillPorts = ChannelPorts & { sandbox: SandboxAddresses | null };

const firstDelaySeconds = 15;

/** The seed of the past, which is the same for everybody as far as the calendar allows. */
const seed = 20_260_301;

/**
 * Creates the property manager's workspace by the services that people use, dated back to when each thing was written, and inserts what it has sent
 * in the last 60 days. The first reminder is due in 15 seconds. The ledger's months must exist.
 */
export async function fillDemo(
  ctx: MemberContext,
  { timezone, ports }: { timezone: string; ports: FillPorts },
): Promise<void> {
  const then = { ...ctx, now: daysBefore(ctx, pastDays + 2) };
  await saveContacts(then, demoContacts);
  const groups = await writeGroups(then);
  const templates = await writeTemplates(then);
  const topics = {
    notices: (await createTopic(then, demoTopics.notices)).id,
    news: (await createTopic(then, demoTopics.news)).id,
  };
  if (ports.sandbox !== null) await writeChannels(then, { ...ports, sandbox: ports.sandbox });
  await keepNightsQuiet(then, timezone);
  const written = demoReminders({
    firstAt: ctx.now.add({ seconds: firstDelaySeconds }),
    timezone,
    webhookUrl: ports.sandbox?.webhookUrlFor(ctx.workspaceId) ?? null,
    groups,
    templates,
    topics,
  });
  const reminders = await writeReminders(ctx, written);
  await writePast(ctx, { reminders, topics, timezone });
}

const daysBefore = ({ now }: MemberContext, days: number) => now.subtract({ hours: 24 * days });

async function writeGroups(ctx: MemberContext): Promise<Map<string, string>> {
  const groups = new Map<string, string>();
  for (const [name, tag] of Object.entries(groupTags)) {
    const rule = { match: 'all' as const, conditions: [{ test: 'has_tag' as const, tag }] };
    groups.set(name, (await createGroup(ctx, { name, rule })).id);
  }
  return groups;
}

async function writeTemplates(ctx: MemberContext): Promise<Map<string, string>> {
  const templates = new Map<string, string>();
  for (const { slugs, ...category } of demoCategories) {
    const { id: categoryId } = await createCategory(ctx, category);
    for (const slug of slugs) {
      const { slug: _, scheduleType: __, ...text } = starterNamed(slug);
      const { id } = await createTemplate(ctx, { ...text, category_id: categoryId, is_public: false });
      templates.set(slug, id);
    }
  }
  return templates;
}

/** Channels of each type, with the workspace's accounts at the sandbox. */
async function writeChannels(
  ctx: MemberContext,
  { sandbox, ...ports }: ChannelPorts & { sandbox: SandboxAddresses },
): Promise<void> {
  const { workspaceId } = ctx;
  const accounts = sandboxChannels(sandbox, workspaceId);
  const accountOf = (type: 'sms' | 'whatsapp' | 'slack') => {
    const found = accounts.find(({ channel }) => channel === type);
    if (found === undefined) throw new Error(`the sandbox has no ${type}`);
    const named = type === 'slack' ? { method: found.provider } : { provider: found.provider };
    return { ...found.configuration, ...named };
  };
  const channels: Pick<ChannelInput, 'name' | 'type' | 'configuration'>[] = [
    { name: 'Accounting program', type: 'webhook', configuration: { url: sandbox.webhookUrlFor(workspaceId) } },
    { name: 'Team channel', type: 'slack', configuration: accountOf('slack') },
    { name: 'Caretaker’s WhatsApp', type: 'whatsapp', configuration: accountOf('whatsapp') },
    { name: 'Text messages', type: 'sms', configuration: accountOf('sms') },
    { name: 'Office mail', type: 'email', configuration: { ...sandbox.smtpConfigFor(workspaceId) } },
  ];
  for (const channel of channels)
    await createChannel(ctx, { input: { ...channel, is_active: true, rate_limit_per_second: null }, ports });
  await rows.verifyChannels(ctx.db, { workspaceId });
}

const keepNightsQuiet = (ctx: MemberContext, timezone: string) =>
  updateWorkspace(ctx, {
    settings: {
      sendingHours: {
        enabled: true,
        days: [1, 2, 3, 4, 5, 6, 7],
        from: '07:00',
        to: '21:00',
        zone: 'workspace',
        timezone,
        channels: ['sms', 'whatsapp'],
      },
    },
  });

/** Creates them in reverse, so that the first is at the top of the list. */
async function writeReminders(ctx: MemberContext, written: readonly DemoReminder[]): Promise<StoredReminder[]> {
  const stored: StoredReminder[] = [];
  for (const { input, ...of } of written.toSorted((a, b) => b.writtenDaysAgo - a.writtenDaysAgo)) {
    const { id } = await createReminder({ ...ctx, now: daysBefore(ctx, of.writtenDaysAgo) }, input);
    stored.push({ id, input, ...of });
    // Past occurrences are inserted as history, so the next one is computed from today.
    if (of.writtenDaysAgo > 0)
      await scheduleReminder(ctx, { ...input, id, revision: 1 }, { reason: reminderWasEdited, isResumed: false });
  }
  return stored;
}

async function writePast(
  ctx: MemberContext,
  { reminders, topics, timezone }: Pick<DemoParts, 'topics' | 'timezone'> & { reminders: readonly StoredReminder[] },
): Promise<void> {
  const { db, workspaceId, now } = ctx;
  const { data } = await listContacts(ctx, { limit: 100 });
  const contacts = new Map(data.flatMap(({ id, email }) => (email === null ? [] : [[email, id] as const])));
  const past = pastRuns({ reminders, contacts, topics, timezone, now, seed });
  await rows.insertPastJobs(db, { workspaceId, rows: past.jobs });
  await rows.insertPastExecutions(db, { workspaceId, rows: past.executions });
  await rows.insertPastDeliveries(db, { workspaceId, rows: past.deliveries });
  await recordChoices(
    { db, workspaceId, actor: null, now: now.toString() },
    past.suppressions.map(({ recipient, reason, covers, topic_id: topicId, created_at: at }) => ({
      channel: 'email',
      recipient,
      covers,
      topicId,
      entry: { reason, createdBy: null, at },
      said: reason === 'bounced' ? null : { kind: 'withdrawn', method: 'link', at },
    })),
  );
}
