import type { Audience } from '#contract/audience.ts';
import type { GroupCondition } from '#contract/contact-groups.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { personAt } from '#simulation/contacts.ts';
import {
  actsIn,
  type Evidence,
  eventsOf,
  kindOf,
  plainRecipient,
  remindersOfJobs,
  type Version,
  versionsIn,
} from '#simulation/evidence.ts';
import type { EventOf } from '#simulation/history.ts';
import type { Act } from '#simulation/people.ts';
import type { ContactRow, DeliveryRow, GroupRow, JobRow } from '#simulation/tables.ts';

/** Who belonged to a job's audience when it was claimed; null where a change of contacts happened meanwhile. */
type Asked = {
  jobId: string;
  claimId: string;
  isFirst: boolean;
  people: ReadonlyMap<string, ContactRow> | null;
  version: Version;
};

/**
 * Each person who belonged to the audience of an occurrence when it was claimed has a ledger row for every channel that
 * fits, or one that says why not; nobody else has; nobody has two; and nobody who left is begun.
 */
export function checkAudiences(evidence: Evidence): string[] {
  const asked = Map.groupBy(askedIn(evidence), ({ jobId }) => jobId);
  const lines = Map.groupBy(evidence.rows.deliveries, (row) => row.job_id);
  return [
    ...evidence.rows.jobs.flatMap((job) => {
      const own = (lines.get(job.id) ?? []).filter((row) => row.scheduled_for === job.scheduled_for);
      return personFaults(job, { lines: own, asked: asked.get(job.id) ?? [] });
    }),
    ...leftFaults(evidence, { asked, lines }),
  ];
}

/** How many claims asked who belongs to an audience that had people. */
export const audiencesAsked = (evidence: Evidence): number =>
  askedIn(evidence).filter(({ people }) => people !== null && people.size > 0).length;

function personFaults(
  job: JobRow,
  { lines, asked }: { lines: readonly DeliveryRow[]; asked: readonly Asked[] },
): string[] {
  const keys = new Set(lines.map((row) => `${row.channel} ${plainRecipient(row.recipient)}`));
  const firsts = asked.filter(({ isFirst }) => isFirst);
  const [first] = firsts;
  const forgotten = [...(first?.people ?? [])].flatMap(([id, contact]) => {
    const needed = linesOf(contact, first?.version.input ?? null);
    const isThere =
      needed.length > 0 && first?.version.input.metadata.channel_mode !== 'in_order'
        ? needed.every((one) => keys.has(one))
        : lines.some((row) => row.contact_id === id || personAt(plainRecipient(row.recipient)) === id.at(-1));
    return isThere ? [] : [`${id} belonged to the audience of ${job.id} and was forgotten`];
  });
  const invented = lines.flatMap(({ contact_id: id }) =>
    id !== null && firsts.every(({ people }) => people !== null && !people.has(id))
      ? [`${id} did not belong to the audience of ${job.id} and is in its ledger`]
      : [],
  );
  const served = lines
    .filter(({ contact_id: id, status }) => id !== null && status !== 'skipped')
    .map((row) => `${row.channel} ${row.contact_id}`);
  const twice = new Set(served).size < served.length ? [`a person of the audience of ${job.id} is served twice`] : [];
  return [...forgotten, ...invented, ...twice];
}

/** Who had left when a job was claimed again is not begun by that claim. */
function leftFaults(
  { events }: Evidence,
  {
    asked,
    lines,
  }: { asked: ReadonlyMap<string, readonly Asked[]>; lines: ReadonlyMap<string, readonly DeliveryRow[]> },
): string[] {
  // A listed number is also written to at the email address of its contact.
  const addressesOf = Map.groupBy(
    actsIn(events).flatMap(({ act }) =>
      act.kind === 'contact' && act.contact !== null
        ? [act.contact.email, act.contact.phone].flatMap((text) => (text === null ? [] : [{ id: act.contactId, text }]))
        : [],
    ),
    ({ id }) => id,
  );
  return eventsOf(events, 'begin').flatMap(({ job, begun }) => {
    const own = asked.get(job.id)?.find(({ claimId }) => claimId === job.claimId);
    const people = own?.people ?? null;
    if (people === null) return [];
    // A retry takes the list as it is by then, which may name somebody of the audience.
    const listed = new Set(own?.version.input.content.recipients.map(plainRecipient));
    return begun.flatMap(({ channel, recipient }) => {
      const row = lines.get(job.id)?.find((one) => one.channel === channel && one.recipient === recipient);
      const id = row?.contact_id ?? null;
      const addresses = id === null ? [] : (addressesOf.get(id) ?? []).map(({ text }) => text);
      return id === null || people.has(id) || [recipient, ...addresses].some((text) => listed.has(plainRecipient(text)))
        ? []
        : [`${id} had left the audience of ${job.id} and was begun`];
    });
  });
}

/** The ledger's lines of a person, written simply: without URLs the webhook is hooked for the address, else the number. */
function linesOf({ email, phone }: ContactRow, input: Version['input'] | null): string[] {
  if (input === null) return [];
  const hasUrls = input.content.recipients.some((text) => kindOf(text) === 'url');
  // A person who is listed with the number is not sent to a second time for the address.
  const listed = new Set(input.content.recipients.map(plainRecipient));
  const own = [email, phone].filter((address) => address !== null);
  const hooked = own.find((address) => listed.has(address)) ?? own[0] ?? null;
  const addresses: Partial<Record<ChannelType, string | null>> = {
    email,
    sms: phone,
    webhook: hasUrls ? null : hooked,
  };
  return input.metadata.channels.flatMap((channel) => {
    const address = addresses[channel] ?? null;
    return address === null ? [] : [`${channel} ${address}`];
  });
}

function askedIn(evidence: Evidence): Asked[] {
  const reminders = remindersOfJobs(evidence);
  const versions = versionsIn(evidence.events);
  const changes = actsIn(evidence.events).filter(({ act }) => act.kind === 'contact' || act.kind === 'group');
  if (changes.length === 0) return [];
  return eventsOf(evidence.events, 'claim').flatMap((event) =>
    event.claim.started.flatMap(({ run }): Asked[] => {
      if (run.job.type !== 'reminder' || run.work.audience === null) return [];
      const reminderId = reminders.get(run.job.id);
      const version = versions.find((one) => one.reminderId === reminderId && one.revision === run.job.revision);
      const audience = version?.input.metadata.audience;
      if (version === undefined || audience === undefined) return [];
      const people = peopleAt(event, { changes, audience, workspaceId: run.job.workspace_id });
      return [{ jobId: run.job.id, claimId: event.claim.id, isFirst: run.job.attempts === 1, people, version }];
    }),
  );
}

function peopleAt(
  claim: EventOf<'claim'>,
  { changes, audience, workspaceId }: { changes: ReturnType<typeof actsIn>; audience: Audience; workspaceId: string },
): Map<string, ContactRow> | null {
  const contacts = new Map<string, ContactRow>();
  const groups = new Map<string, GroupRow>();
  for (const { act, order, since } of changes) {
    if (act.workspaceId !== workspaceId || since.order > claim.order) continue;
    if (order > claim.call.since.order) return null;
    apply(act, { contacts, groups });
  }
  return new Map([...contacts].filter(([, contact]) => belongs(contact, { audience, groups })));
}

function apply(act: Act, { contacts, groups }: { contacts: Map<string, ContactRow>; groups: Map<string, GroupRow> }) {
  if (act.kind === 'contact') {
    const { contactId: id, contact, workspaceId } = act;
    if (contact === null) contacts.delete(id);
    else contacts.set(id, { ...contact, id, workspace_id: workspaceId });
  }
  if (act.kind === 'group') {
    const { groupId: id, rule, name, workspaceId } = act;
    if (rule === null) groups.delete(id);
    else groups.set(id, { id, workspace_id: workspaceId, name, rule });
  }
}

function belongs(
  contact: ContactRow,
  { audience, groups }: { audience: Audience; groups: ReadonlyMap<string, GroupRow> },
): boolean {
  if (audience.everyone === true || audience.contacts?.includes(contact.id) === true) return true;
  if (audience.tags?.some((tag) => contact.tags.includes(tag)) === true) return true;
  return (audience.groups ?? []).some((id) => {
    const rule = groups.get(id)?.rule;
    if (rule === undefined) return false;
    const met = rule.conditions.filter((condition) => isMet(contact, condition)).length;
    return rule.match === 'any' ? met > 0 : met === rule.conditions.length;
  });
}

function isMet({ tags, variables }: ContactRow, condition: GroupCondition): boolean {
  if ('tag' in condition) return tags.includes(condition.tag) === (condition.test === 'has_tag');
  const value = variables[condition.variable];
  if (condition.test === 'contains') return value?.includes(condition.value) === true;
  return (value === condition.value) === (condition.test === 'is');
}
