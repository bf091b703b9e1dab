import type { PoolClient } from 'pg';
import { ReceivingHours } from '#contract/receiving-hours.ts';
import type { TopicKind } from '#contract/topics.ts';
import type { PersonInAudience } from '#domain/audience-targets.ts';
import type { StoredExclusion } from '#domain/exclusions.ts';
import { type ConsentFact, type Entry, mayBeSent, noTopic } from '#domain/may-be-sent.ts';
import { type KnownContact, keyInWorkspace } from '#engine/run/contacts.ts';
import type { ChannelRow } from '#engine/run/routes.ts';
import { type AudienceRequest, type Found, exclusionKey, type Skip } from '#engine/store.ts';
import { plainColumn, textColumn } from './columns.ts';
import * as sql from './lookups.sql.ts';

export async function channelsOf(client: PoolClient, workspaceIds: readonly string[]): Promise<ChannelRow[]> {
  return (await client.query<ChannelRow>({ ...sql.channelsOf, values: [workspaceIds] })).rows;
}

export async function suppressedAmong(
  client: PoolClient,
  { asked, now }: { asked: Asked; now: Temporal.Instant },
): Promise<Map<number, Skip>> {
  if (asked.length === 0) return new Map();
  const needing = asked.flatMap(({ needsConsent, occasion }, at) =>
    needsConsent && occasion === 'reminder' ? [at] : [],
  );
  const [{ rows }, consented] = await Promise.all([
    client.query<Entry & { at: number; kind: TopicKind | null }>({ ...sql.suppressedAmong, values: columnsOf(asked) }),
    consentedAmong(client, { asked, needing }),
  ]);
  const found = Map.groupBy(rows, ({ at }) => at);
  const skips = new Map<number, Skip>();
  for (const at of new Set([...found.keys(), ...consented.keys()])) {
    const entries = found.get(at) ?? [];
    const { topicId, occasion } = asked[at] ?? noTopic;
    const about = { topicId, occasion, kind: entries[0]?.kind ?? null };
    const verdict = mayBeSent(about, {
      entries,
      consent: consented.get(at) ?? 'not_needed',
      nowMs: now.epochMilliseconds,
    });
    if (verdict.kind === 'skip') skips.set(at, verdict);
  }
  return skips;
}

type Asked = Parameters<Found['suppressed']>[0];

const columnsOf = (asked: Asked) => [
  plainColumn(asked, (row) => row.workspaceId),
  plainColumn(asked, (row) => row.channel),
  textColumn(asked, (row) => row.key),
  plainColumn(asked, (row) => row.topicId),
];

/** Whether a consent is on record for each message that needs one. */
async function consentedAmong(
  client: PoolClient,
  { asked, needing }: { asked: Asked; needing: readonly number[] },
): Promise<Map<number, ConsentFact>> {
  if (needing.length === 0) return new Map();
  const { rows } = await client.query<{ at: number }>({
    ...sql.consented,
    values: columnsOf(needing.flatMap((at) => asked[at] ?? [])),
  });
  const given = new Set(rows.map(({ at }) => needing[at]));
  return new Map(needing.map((at) => [at, given.has(at) ? 'given' : 'lacking']));
}

/** Hours that cannot be read are none: they must not block deliveries. */
export async function wishesAmong(
  client: PoolClient,
  asked: Parameters<Found['wishes']>[0],
): Promise<Map<string, ReceivingHours>> {
  const { rows } = await client.query<{ workspace_id: string; address: string; hours: unknown }>({
    ...sql.wishesAmong,
    values: [plainColumn(asked, (one) => one.workspaceId), textColumn(asked, (one) => one.key)],
  });
  return new Map(
    rows.flatMap(({ workspace_id: workspaceId, address, hours }) => {
      const { data } = ReceivingHours.safeParse(hours);
      return data === undefined ? [] : [[keyInWorkspace(workspaceId, address), data]];
    }),
  );
}

export async function exclusionsAmong(
  client: PoolClient,
  asked: Parameters<Found['exclusions']>[0],
): Promise<Map<string, StoredExclusion>> {
  const { rows } = await client.query<StoredExclusion & { job_id: string; contact_id: string | null; key: string }>({
    ...sql.exclusionsAmong,
    values: [
      plainColumn(asked, (one) => one.workspaceId),
      plainColumn(asked, (one) => one.jobId),
      plainColumn(asked, (one) => one.contactId),
      textColumn(asked, (one) => one.key),
    ],
  });
  return new Map(
    rows.map(({ job_id: jobId, contact_id: contactId, key, ...exclusion }) => [
      exclusionKey({ jobId, contactId, key }),
      exclusion,
    ]),
  );
}

export async function contactsAmong(
  client: PoolClient,
  asked: Parameters<Found['contacts']>[0],
): Promise<Map<string, KnownContact>> {
  const { rows } = await client.query<KnownContact & { workspace_id: string; key: string }>({
    ...sql.contactsAmong,
    values: [plainColumn(asked, (one) => one.workspaceId), textColumn(asked, (one) => one.key)],
  });
  return new Map(
    rows.map(({ workspace_id: workspaceId, key, ...contact }) => [keyInWorkspace(workspaceId, key), contact]),
  );
}

export async function audienceNow(
  client: PoolClient,
  { workspaceId, audience, among, limit }: AudienceRequest,
): Promise<PersonInAudience[]> {
  const { everyone = false, groups = [], tags = [], contacts = [] } = audience;
  const values = [workspaceId, everyone, groups, tags, contacts, among, limit];
  return (await client.query<PersonInAudience>({ ...sql.audienceNow, values })).rows;
}
