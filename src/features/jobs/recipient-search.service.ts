import { z } from 'zod';
import { type Audience, isAudience } from '#contract/audience.ts';
import type { Contact } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';
import { jobSearchLimits } from '#contract/jobs.ts';
import { membershipIn } from '#domain/contact-rule.ts';
import { type International, isLineTo, parseLine } from '#domain/recipients.ts';
import { withGroups } from '#features/contact-groups/audience.service.ts';
import { listContacts } from '#features/contacts/contacts.service.ts';
import { internationalOf } from '#features/contacts/dialling.service.ts';
import { keysOf, spellingsOf, spellingsOfKeys } from '#features/contacts/spellings.service.ts';
import * as rows from '#features/jobs/recipient-search.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { mapInSlices, type Slice } from '#platform/in-slices.ts';

/** Limits of a search for people, so that a short text in a large workspace stays cheap. */
export const searchLimits = {
  /** The most contacts whose name, address or number matches. */
  ...jobSearchLimits,
  /** The most deliveries to each of them; the latest are searched. */
  deliveries: 500,
  /** The most jobs that have not ended: of pending, running and paused ones each. */
  unfinished: 500,
  jobs: 2_000,
  /** The most jobs by name, where executions are searched. */
  named: 2_000,
} as const;

const worthAsking = 2;

/**
 * The jobs whose past or future recipients a text names: by an address, a number, or a part of a contact's name. Numbers without a country code are read as the
 * workspace's channels would call them.
 */
export async function findJobsTo(ctx: TenantContext, text: string, window: rows.LedgerWindow = {}): Promise<string[]> {
  const asked = text.trim();
  if (asked.length < worthAsking) return [];
  const { db, workspaceId } = ctx;
  const { data } = await listContacts(ctx, { search: asked, limit: searchLimits.people });
  const people = await withGroups(ctx, data);
  const international = await internationalOf(ctx, { channels: ['sms', 'whatsapp'] });
  const typed = keysIn(asked, international);
  if (people.length + typed.length === 0) return [];
  const past = await rows.findJobsToPeople(db, {
    ...window,
    workspaceId,
    contactIds: people.map(({ id }) => id),
    addresses: [
      ...spellingsOfKeys(typed).map((address) => ({ address, owner: null })),
      ...people.flatMap((person) => spellingsOf(person).map((address) => ({ address, owner: person.id }))),
    ],
    each: searchLimits.deliveries,
    limit: searchLimits.jobs,
  });
  const keys = new Set([...typed, ...people.flatMap(keysOf)]);
  const slice: Slice = { size: 0 };
  const ahead: string[] = [];
  for (const job of await rows.findUnfinishedJobs(db, { workspaceId, limit: searchLimits.unfinished })) {
    const own = Recipients.safeParse(job.own).data;
    const lines = await mapInSlices(own ?? job.recipients ?? [], parseLine, { slice });
    const audience = own === undefined ? job.metadata?.audience : undefined;
    const isMember = isAudience(audience) && people.some((contact) => isIn(audience, contact));
    if (isMember || lines.some((line) => isLineTo(line, { keys, international }))) ahead.push(job.id);
  }
  return [...new Set([...ahead, ...past])];
}

const Recipients = z.array(z.string());

type Person = Contact & { groups: { id: string; name: string }[] };

const isIn = (audience: Audience, { groups, ...contact }: Person) =>
  membershipIn(audience, { contact, groups }) !== null;

/** The keys of a text that is an address or a number; none for any other text. */
function keysIn(text: string, international: International): string[] {
  const { recipient, key } = parseLine(text);
  switch (recipient.kind) {
    case 'email':
      return [emailKey(recipient.address)];
    case 'phone':
      return [
        ...new Set([
          key,
          ...(['sms', 'whatsapp'] as const).map((channel) => international(recipient.address, channel)),
        ]),
      ];
    case 'url':
    case 'other':
      return [];
    default:
      return recipient satisfies never;
  }
}

/** The jobs whose executions a text finds: by their recipients, or by the name of the job. */
export async function findJobsOfRuns(ctx: TenantContext, text: string, { to }: { to?: string | undefined }) {
  const { db, workspaceId } = ctx;
  // A run begins at its job's scheduled time or later. Only a retry of a cancelled job begins earlier, and rarely by more than a day.
  const before = to === undefined ? undefined : Temporal.Instant.from(to).add({ hours: 24 }).toString();
  const named = await rows.findJobsNamed(db, { workspaceId, text, to: before, limit: searchLimits.named });
  return [...new Set([...named, ...(await findJobsTo(ctx, text, { to: before }))])];
}
