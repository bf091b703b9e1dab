import { agendaLimits } from '#contract/agenda.ts';
import { type Audience, isAudience } from '#contract/audience.ts';
import { membershipIn } from '#domain/contact-rule.ts';
import { isLineTo, parseLine } from '#domain/recipients.ts';
import * as rows from '#features/agenda/agenda.db.ts';
import {
  besideTheList,
  keepsList,
  type MayBeExcluded,
  OwnRecipients,
} from '#features/agenda/agenda-entries.service.ts';
import { groupsOf } from '#features/contact-groups/audience.service.ts';
import { getContact } from '#features/contacts/contacts.service.ts';
import { internationalOf } from '#features/contacts/dialling.service.ts';
import { keysOf } from '#features/contacts/spellings.service.ts';
import { skippedFor } from '#features/exclusions/skips.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { mapInSlices, type Slice } from '#platform/in-slices.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

export type Addressed = MayBeExcluded & {
  name: string;
  /** The reminders that go to the person, by their list or their audience. */
  reminders: string[];
  /** The jobs of events and of the API that do. */
  jobs: string[];
  isComplete: boolean;
};

/** How many reminders are read at a time: each may have ten thousand recipients. */
const batch = 50;

/** What goes to a contact until an instant, and what has begun. Throws NotFound. */
export async function addressedTo(ctx: TenantContext, { id, to }: { id: string; to: string }): Promise<Addressed> {
  const { db, workspaceId } = ctx;
  const contact = await getContact(ctx, id);
  const groups = await groupsOf(ctx, contact);
  const keys = new Set(keysOf(contact));
  const international = await internationalOf(ctx, { channels: ['sms', 'whatsapp'] });
  const slice: Slice = { size: 0 };
  const isAmong = async (recipients: readonly string[]) =>
    (await mapInSlices(recipients, parseLine, { slice })).some((line) => isLineTo(line, { keys, international }));
  const isIn = (audience: Audience | null | undefined) =>
    isAudience(audience ?? undefined) && membershipIn(audience ?? {}, { contact, groups }) !== null;
  const known = new Map<string, { metadata: rows.Addressed['metadata']; isListed: boolean }>();
  let last: string | undefined = nilUuid;
  while (last !== undefined && known.size < agendaLimits.reminders) {
    const found: rows.Addressed[] = await rows.findAddressed(db, { workspaceId, after: last, limit: batch });
    for (const one of found) known.set(one.id, { metadata: one.metadata, isListed: await isAmong(one.recipients) });
    last = found.length < batch ? undefined : found.at(-1)?.id;
  }
  const { searchedJobs: most } = agendaLimits;
  const ahead = await rows.findPayloadsAhead(db, { workspaceId, to, limit: most + 1 });
  const jobs: string[] = [];
  for (const job of ahead.slice(0, most)) {
    const own = OwnRecipients.parse(job.payload);
    const reminder = known.get(job.reminder_id ?? '');
    const isOfReminder = reminder !== undefined && keepsList(reminder.metadata, own) && reminder.isListed;
    const { recipients, audience } =
      reminder === undefined
        ? { recipients: own.recipients ?? [], audience: null }
        : besideTheList(reminder.metadata, own);
    if (isOfReminder || isIn(audience) || (await isAmong(recipients))) jobs.push(job.id);
  }
  return {
    name: contact.name ?? contact.email ?? contact.phone ?? '',
    reminders: [...known].flatMap(([reminder, { metadata, isListed }]) =>
      isListed || isIn(metadata.audience) ? [reminder] : [],
    ),
    jobs,
    isComplete: last === undefined && ahead.length <= most,
    pause: { paused_until: contact.paused_until, timezone: contact.timezone },
    skipped: await skippedFor(ctx, id),
  };
}
