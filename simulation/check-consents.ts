import { isFallingBackAfter, type Occasion } from '#domain/may-be-sent.ts';
import { consentIn } from '#domain/newest-consent.ts';
import { recipientOf } from '#simulation/bans.ts';
import { actsIn, type Evidence, eventsOf } from '#simulation/evidence.ts';
import type { Moment } from '#simulation/history.ts';
import type { ConsentRow } from '#simulation/tables.ts';
import { topicsOf } from '#simulation/topics.ts';

type About = { topicId: string | null; occasion: Occasion };
type Addressed = { workspaceId: string; channel: string; recipient: string };
type Said = { word: ConsentRow; since: Moment; done: Moment };

/** What was said about being written to, by recipient, and which topics became optional. */
export function consentsIn({ events }: Pick<Evidence, 'events'>) {
  const said = new Map<string, Said[]>();
  const optional = new Set<string>();
  for (const moment of actsIn(events)) {
    const { act, since } = moment;
    if (act.kind === 'topic') optional.add(act.topicId);
    if (act.kind !== 'consent') continue;
    const key = recipientOf(act);
    const word = { workspace_id: act.workspaceId, channel: act.channel, recipient: act.recipient, ...act.word };
    said.set(key, [...(said.get(key) ?? []), { word, since, done: moment }]);
  }
  return { said, optional };
}

/**
 * Whether the newest word at a confirmation was certainly no consent, although the workspace requires one. What was being said at that moment may have
 * counted.
 */
export function lacksConsent(
  { scenario }: Evidence,
  {
    of,
    about: { topicId, occasion },
    permit,
    consents: { said, optional },
  }: {
    of: Addressed;
    about: About;
    permit: { call: { since: Moment }; done: Moment };
    consents: ReturnType<typeof consentsIn>;
  },
): boolean {
  const workspace = scenario.workspaces.find(({ id }) => id === of.workspaceId);
  if (occasion !== 'reminder' || workspace?.consent_for.some((channel) => channel === of.channel) !== true)
    return false;
  const own = said.get(recipientOf(of)) ?? [];
  const known = own.filter(({ done }) => done.order < permit.call.since.order);
  const isBeingSaid = own.some(
    ({ word, since, done }) =>
      word.kind === 'given' && done.order > permit.call.since.order && since.order < permit.done.order,
  );
  if (isBeingSaid) return false;
  const kind = topicsOf(of.workspaceId).find(({ id }) => id === topicId)?.kind ?? null;
  const kinds = kind === 'required' && optional.has(topicId ?? '') ? (['required', 'optional'] as const) : [kind];
  const words = known.map(({ word }) => word);
  return kinds.every((one) => consentIn(words, { topicId, kind: one }) === 'lacking');
}

/** Nobody is skipped for lack of a consent where none is required, nor who has agreed to everything before, and has never said anything else. */
export function checkConsents(evidence: Evidence): string[] {
  const { events, rows, scenario } = evidence;
  const { said } = consentsIn(evidence);
  const firstClaims = new Map<string, Moment>();
  for (const { claim, call } of eventsOf(events, 'claim'))
    for (const { run } of claim.started) if (!firstClaims.has(run.job.id)) firstClaims.set(run.job.id, call.since);
  return rows.deliveries.flatMap((row) => {
    const { workspace_id: workspaceId, job_id: jobId, channel, recipient, status, reason_code: code } = row;
    if (status !== 'skipped' || code !== 'no_consent') return [];
    const line = `${jobId} ${channel} ${recipient}`;
    const workspace = scenario.workspaces.find(({ id }) => id === workspaceId);
    if (workspace?.consent_for.includes(channel) !== true)
      return [`${line} was skipped for lack of a consent, which nobody requires`];
    const own = said.get(recipientOf({ workspaceId, channel, recipient })) ?? [];
    const claimed = firstClaims.get(jobId);
    const isAgreed =
      claimed !== undefined &&
      own.every(({ word }) => word.kind === 'given') &&
      own.some(({ word, done }) => word.covers === 'everything' && done.order < claimed.order);
    return isAgreed ? [`${line} was skipped, although its recipient had agreed`] : [];
  });
}

/** Whether a skipped row lets its message go on to the next channel. */
export const isPassedOver = (
  { status, reason_code: code }: { status: string; reason_code: string | null },
  { isRequired }: { isRequired: boolean },
): boolean =>
  status === 'skipped' && (code === 'suppressed' || code === 'no_consent') && isFallingBackAfter(code, { isRequired });
