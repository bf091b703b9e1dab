import type { ChannelType } from '#contract/channel-types.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import type { Event, EventOf, Moment } from '#simulation/history.ts';
import type { Scenario } from '#simulation/scenario.ts';
import type { JobRow, Rows } from '#simulation/tables.ts';

/** The input of the checks: all events, and the final tables. */
export type Evidence = { scenario: Scenario; events: readonly Event[]; rows: Rows; endMs: number };

export const eventsOf = <Kind extends Event['kind']>(events: readonly Event[], kind: Kind): EventOf<Kind>[] =>
  events.filter((event): event is EventOf<Kind> => event.kind === kind);

/** The acts that were not refused. */
export const actsIn = (events: readonly Event[]) =>
  eventsOf(events, 'act').filter(({ done }) => done.answer.kind === 'done');

/** The reminder of each job, even after it was deleted. */
export function remindersOfJobs({ events, rows }: Evidence): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const see = ({ id, reminder_id }: Pick<JobRow, 'id' | 'reminder_id'>) => {
    if (reminder_id !== null) found.set(id, reminder_id);
  };
  rows.jobs.forEach(see);
  for (const { done } of eventsOf(events, 'act')) [...done.before, ...done.after].forEach(see);
  for (const { claim } of eventsOf(events, 'claim')) claim.started.forEach(({ run }) => see(run.job));
  return found;
}

/** The content of a reminder between two acts. */
export type Version = {
  workspaceId: string;
  reminderId: string;
  input: ReminderInput;
  isActive: boolean;
  revision: number;
  from: Moment;
  /** The act that ended it; null for the last. */
  end: ReturnType<typeof actsIn>[number] | null;
};

export function versionsIn(events: readonly Event[]): Version[] {
  const current = new Map<string, Version>();
  const versions: Version[] = [];
  for (const event of actsIn(events)) {
    const next = versionAfter(event, { current, versions });
    if (next === null) continue;
    const before = current.get(next.reminderId);
    if (before !== undefined) before.end = event;
    if (next.input === null) current.delete(next.reminderId);
    else {
      const version = { ...next, input: next.input, from: event.since, end: null };
      current.set(next.reminderId, version);
      versions.push(version);
    }
  }
  return versions;
}

type Next = Pick<Version, 'workspaceId' | 'reminderId' | 'isActive' | 'revision'> & { input: ReminderInput | null };

function versionAfter(
  { act, done }: ReturnType<typeof actsIn>[number],
  { current, versions }: { current: ReadonlyMap<string, Version>; versions: readonly Version[] },
): Next | null {
  const made = done.answer.kind === 'done' ? done.answer.id : null;
  const { workspaceId } = act;
  if (act.kind === 'write')
    return {
      workspaceId,
      reminderId: made ?? '',
      input: act.input,
      isActive: act.input.status === 'active',
      revision: 1,
    };
  if (act.kind === 'restore') return versions.findLast(({ reminderId }) => reminderId === act.reminderId) ?? null;
  if (act.kind !== 'edit' && act.kind !== 'switch' && act.kind !== 'delete') return null;
  const { reminderId } = act;
  const before = current.get(reminderId);
  const revision = before?.revision ?? 0;
  if (act.kind === 'delete' || before === undefined)
    return { workspaceId, reminderId, input: null, isActive: false, revision };
  return act.kind === 'edit'
    ? { workspaceId, reminderId, input: act.input, isActive: act.input.status === 'active', revision: revision + 1 }
    : { workspaceId, reminderId, input: before.input, isActive: act.to === 'active', revision };
}

/** One recipient of one job on one channel, however the address is spelled. */
export const lineOf = (of: { jobId: string; channel: string; recipient: string }) =>
  `${of.jobId} ${of.channel} ${plainRecipient(of.recipient)}`;

/** Simpler than the product's own rules: it only has to distinguish the recipients of simulations. */
export function plainRecipient(text: string): string {
  const address = (/<(.*)>/.exec(text)?.[1] ?? text).toLowerCase();
  return kindOf(text) === 'phone' ? address.replaceAll(/[^+\d]/g, '') : address;
}

export const kindOf = (text: string) => (text.startsWith('http') ? 'url' : text.includes('@') ? 'mail' : 'phone');

/**
 * The recipients of a reminder as `channel recipient`: each on every channel that fits, or on the first, where it is
 * skipped.
 */
export function expectedLines(recipients: readonly string[], channels: readonly ChannelType[]): Set<string> {
  const hasUrls = recipients.some((text) => kindOf(text) === 'url');
  const takes: Partial<Record<ChannelType, readonly string[]>> = {
    webhook: hasUrls ? ['url'] : ['url', 'mail', 'phone'],
    email: ['mail'],
    sms: ['phone'],
  };
  const lines = recipients.flatMap((text) => {
    const fitting = channels.filter((channel) => takes[channel]?.includes(kindOf(text)));
    return (fitting.length > 0 ? fitting : channels.slice(0, 1)).map((channel) => `${channel} ${plainRecipient(text)}`);
  });
  return new Set(lines);
}

/** The reports of providers that have failed a message, by its line. */
export const lateFailuresIn = (events: readonly Event[]) =>
  Map.groupBy(
    actsIn(events).filter(
      ({ act, done }) => act.kind === 'report' && done.answer.kind === 'done' && done.answer.id !== null,
    ),
    ({ act }) => (act.kind === 'report' ? lineOf(act) : ''),
  );
