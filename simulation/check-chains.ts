import { sentIn, begunIn, type Sent } from '#simulation/attempts.ts';
import { personAt } from '#simulation/contacts.ts';
import {
  actsIn,
  type Evidence,
  eventsOf,
  kindOf,
  lateFailuresIn,
  lineOf,
  plainRecipient,
  remindersOfJobs,
  type Version,
  versionsIn,
} from '#simulation/evidence.ts';
import type { EventOf } from '#simulation/history.ts';
import type { DeliveryRow, JobRow } from '#simulation/tables.ts';
import { isPassedOver } from '#simulation/check-consents.ts';
import { requiredThroughout } from '#simulation/check-topics.ts';
import { topicsOf } from '#simulation/topics.ts';

/** A job whose channels are tried in order, and what is known of it. */
type Chained = { job: JobRow; input: Version['input']; rows: readonly DeliveryRow[]; isRetried: boolean };

/**
 * Where channels are tried in order: nobody gets a second message unless the first has failed, a late failure leads to the next channel within the lifetime
 * of the occurrence, a message that nobody can leave goes on past a channel that the list forbids, and no other does.
 */
export function checkChains(evidence: Evidence): string[] {
  const chained = chainedIn(evidence);
  if (chained.length === 0) return [];
  return [
    ...secondMessages(evidence, chained),
    ...chained.flatMap((one) => [...forgottenChannels(one, evidence), ...pastOptOuts(one, evidence)]),
  ];
}

function chainedIn(evidence: Evidence): Chained[] {
  const reminders = remindersOfJobs(evidence);
  const versions = versionsIn(evidence.events);
  const rows = Map.groupBy(evidence.rows.deliveries, (row) => row.job_id);
  const retried = new Set(
    actsIn(evidence.events).flatMap(({ act }) => (act.kind === 'job' && act.action === 'retry' ? [act.jobId] : [])),
  );
  return evidence.rows.jobs.flatMap((job) => {
    const reminderId = reminders.get(job.id);
    const input = versions.find((one) => one.reminderId === reminderId && one.revision === job.revision)?.input;
    if (job.type !== 'reminder' || input?.metadata.channel_mode !== 'in_order') return [];
    const own = (rows.get(job.id) ?? []).filter((row) => row.scheduled_for === job.scheduled_for);
    return [{ job, input, rows: own, isRetried: retried.has(job.id) }];
  });
}

/** Who has an address, however it is spelled: it is one person's for good, though contacts come and go. */
const personOf = (recipient: string) => personAt(plainRecipient(recipient)) ?? plainRecipient(recipient);

/** Whether a person has one chain: not where both addresses are listed, or an address and the audience, and the contact that joins them may be gone. */
function hasOneChain({ input }: Chained, person: string): boolean {
  const listed = new Set(input.content.recipients.map(plainRecipient).filter((one) => personOf(one) === person));
  return listed.size + (input.metadata.audience === undefined ? 0 : 1) <= 1;
}

function secondMessages(evidence: Evidence, chained: readonly Chained[]): string[] {
  const known = new Map(chained.map((one) => [one.job.id, one]));
  const accepted = Map.groupBy(
    sentIn(evidence, begunIn(evidence)).filter(({ begun, request }) => begun !== null && request.result.isAccepted),
    ({ begun }) => `${begun?.jobId} ${personOf(begun?.recipient ?? '')}`,
  );
  const recorded = eventsOf(evidence.events, 'record').flatMap(({ batch, order }) =>
    batch.outcomes.flatMap(({ job, delivery, settled }) =>
      settled.status === 'accepted'
        ? [{ line: lineOf({ ...delivery, jobId: job.id }), attempt: delivery.attempts, order }]
        : [],
    ),
  );
  const recordedOf = Map.groupBy(recorded, ({ line }) => line);
  const reports = lateFailuresIn(evidence.events);
  const wasServed = (first: Sent, later: Sent) => {
    const began = later.begun?.call.since.order ?? 0;
    const isRecorded = (recordedOf.get(first.line) ?? []).some(
      ({ attempt, order }) => attempt === first.begun?.attempt && order < began,
    );
    const hasFailed = (reports.get(first.line) ?? []).some(
      ({ since, order }) => order > (first.begun?.done.order ?? 0) && since.order < (later.begun?.done.order ?? 0),
    );
    const isEarlier = (first.begun?.done.order ?? Infinity) < (later.begun?.done.order ?? 0);
    return isEarlier && isRecorded && !hasFailed;
  };
  return [...accepted.values()].flatMap((sent) => {
    const begun = sent[0]?.begun ?? null;
    const one = begun === null ? undefined : known.get(begun.jobId);
    if (begun === null || one === undefined || !hasOneChain(one, personOf(begun.recipient))) return [];
    return sent.flatMap((later) => {
      const first = sent.find((other) => other.line !== later.line && wasServed(other, later));
      return first === undefined ? [] : [`${later.line} was sent to, although ${first.line} had the message`];
    });
  });
}

/** Each channel of a person was tried, or has a row that says why not, once a message to them failed late or the list forbade a required one. */
function forgottenChannels(one: Chained, evidence: Evidence): string[] {
  const { job, rows, input, isRetried } = one;
  if (isRetried || (job.status !== 'completed' && job.status !== 'failed' && job.status !== 'cancelled')) return [];
  const reports = lateFailuresIn(evidence.events);
  const isRequired = requiredThroughout(evidence).has(input.content.topic_id ?? '');
  const claims = claimsOf(evidence, job).filter(
    ({ run, event }) => run.work.recipients.length > 0 && run.expiresAtMs > event.request.now.epochMilliseconds,
  );
  const people = Map.groupBy(rows, (row) => personOf(row.recipient));
  return [...people].flatMap(([person, own]) => {
    if (!hasOneChain(one, person)) return [];
    const isBeingSent = own.some((row) => row.status !== 'failed' && !isPassedOver(row, { isRequired }));
    if (isBeingSent) return [];
    const last = claims.findLast(({ event }) =>
      own.some((row) => {
        const failed = reports.get(lineOf({ ...row, jobId: job.id })) ?? [];
        return failed.some(({ order }) => order < event.call.since.order);
      }),
    );
    const address = last === undefined ? null : addressesAt(last.event, { evidence, job, person, own });
    if (address === null) return [];
    const tried = new Set(own.map(({ channel }) => channel));
    return input.metadata.channels
      .filter(
        (channel) => (channel === 'sms' ? address.phone : channel === 'email' && address.email) && !tried.has(channel),
      )
      .map((channel) => `${person} of ${job.id} was not tried over ${channel} after a late failure`);
  });
}

type Claimed = { event: EventOf<'claim'>; run: EventOf<'claim'>['claim']['started'][number]['run'] };

const claimsOf = ({ events }: Evidence, job: JobRow): Claimed[] =>
  eventsOf(events, 'claim').flatMap((event) =>
    event.claim.started.flatMap(({ run }) => (run.job.id === job.id ? [{ event, run }] : [])),
  );

/** Which addresses the person had at a claim; null where that changed during the job. */
function addressesAt(
  claim: EventOf<'claim'>,
  { evidence, job, person, own }: { evidence: Evidence; job: JobRow; person: string; own: readonly DeliveryRow[] },
): { email: boolean; phone: boolean } | null {
  const acts = actsIn(evidence.events).flatMap((event) =>
    event.act.kind === 'contact' && event.act.workspaceId === job.workspace_id && event.act.contactId.endsWith(person)
      ? [{ ...event, contact: event.act.contact }]
      : [],
  );
  const first = claimsOf(evidence, job)[0]?.event.call.since.order ?? 0;
  if (acts.some(({ order }) => order > first)) return null;
  const contact = acts.at(-1)?.contact ?? null;
  const has = (kind: 'mail' | 'phone') => own.some(({ recipient }) => kindOf(recipient) === kind);
  if (claim.order < first) return null;
  const knows = (address: string | null) => address !== null;
  const isKnown =
    contact !== null && own.some(({ recipient }) => [contact.email, contact.phone].includes(plainRecipient(recipient)));
  return {
    email: has('mail') || (isKnown && knows(contact.email)),
    phone: has('phone') || (isKnown && knows(contact.phone)),
  };
}

/** Whoever said no to an optional message on one channel does not get it over another. */
function pastOptOuts({ job, input, rows, isRetried }: Chained, { scenario }: Evidence): string[] {
  const topic = input.content.topic_id ?? null;
  const isOptional =
    topic === null || topicsOf(job.workspace_id).some(({ id, kind }) => id === topic && kind === 'optional');
  // Where the clock was set back, times of rows do not say what came first.
  if (isRetried || !isOptional || scenario.gaps.some(({ kind }) => kind === 'setback')) return [];
  const no = rows.filter(
    ({ status, reason_code: code }) =>
      status === 'skipped' && (code === 'suppressed' || code === 'left_topics' || code === 'left_topic'),
  );
  return no.flatMap((skipped) =>
    rows
      .filter((row) => row !== skipped && personOf(row.recipient) === personOf(skipped.recipient))
      .filter((row) => hasOneChain({ job, input, rows, isRetried }, personOf(row.recipient)))
      .filter(({ first_attempt_at: began }) => began !== null && began > (skipped.completed_at ?? ''))
      .map(
        (row) =>
          `${row.channel} ${row.recipient} of ${job.id} was tried after the list had forbidden ${skipped.channel}`,
      ),
  );
}
