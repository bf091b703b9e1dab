import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { suppressibleChannels, suppressionReasons } from '#contract/suppressions.ts';
import { suppressedAmong } from '#engine/postgres/lookups.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { migrate, migrationsOf, ownMigrations } from '#platform/migrate.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

const topicsCame = '0053_topics.sql';
const [first, second] = [randomUUID(), randomUUID()];
const recipients = ['ann@example.com', '+4915112345678', 'https://hooks.example.com/a', 'ben@example.com'];
const everybody = [first, second].flatMap((workspaceId) =>
  suppressibleChannels.flatMap((channel) => recipients.map((key) => ({ workspaceId, channel, key }))),
);

let admin: Client;
let owner: Client;
let database: Database;
const name = `topics_${randomUUID().slice(0, 8)}`;
beforeAll(async () => {
  admin = await connectOwner(inject('postgresUrl'));
  await admin.query(`create database ${name}`);
});
afterAll(async () => {
  await owner.end();
  await database.close();
  await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

/** How the claim asked before there were topics. */
const asBefore = `
  select u.n::integer - 1 as at from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as u (workspace_id, channel, key, n)
    join suppressions s on s.workspace_id = u.workspace_id and s.channel = u.channel and s.recipient = u.key order by 1`;

it('a database from before topics keeps every entry: the same people get the same messages, of any topic', {
  timeout: 120_000,
}, async () => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  const encryptionKey = TEST_ENCRYPTION_KEY;
  const before = (await migrationsOf(ownMigrations)).map((file) => file.name).filter((file) => file < topicsCame);
  await migrate(url.href, { encryptionKey, only: before });
  owner = await connectOwner(url.href);
  for (const id of [first, second])
    await owner.query('insert into workspaces (id, name, slug) values ($1, $2, $2)', [id, id]);
  // Of the first workspace, everybody with a reason of each kind; of the second, nobody.
  const cameLater: readonly string[] = ['paused', 'erased'];
  for (const [at, reason] of suppressionReasons.filter((one) => !cameLater.includes(one)).entries())
    for (const [n, channel] of suppressibleChannels.entries())
      await owner.query(
        'insert into suppressions (workspace_id, channel, recipient, reason) values ($1, $2, $3, $4) on conflict do nothing',
        [first, channel, recipients[(at + n) % recipients.length], reason],
      );
  const columns = [
    everybody.map(({ workspaceId }) => workspaceId),
    everybody.map(({ channel }) => channel),
    everybody.map(({ key }) => key),
  ];
  const silent = (await owner.query<{ at: number }>(asBefore, columns)).rows.map(({ at }) => at);
  expect(silent.length).toBeGreaterThan(10);
  const { rows: entries } = await owner.query('select * from suppressions order by id');

  await migrate(url.href, { encryptionKey });
  expect((await owner.query('select * from suppressions order by id')).rows).toEqual(
    entries.map((entry) => ({ ...entry, covers: 'everything', topic_id: null, ends_at: null })),
  );
  const topics = new Map<string, string | null>([['none', null]]);
  for (const [kind, why] of [
    ['optional', null],
    ['required', 'law'],
  ] as const) {
    const id = randomUUID();
    await owner.query('insert into topics (id, workspace_id, name, kind, why) values ($1, $2, $3, $3, $4)', [
      id,
      first,
      kind,
      why,
    ]);
    topics.set(kind, id);
  }
  database = openDatabase(url.href, { encryptionKey });
  const client = await database.engine.connect();
  for (const [kind, topicId] of topics)
    for (const occasion of ['reminder', 'test'] as const) {
      const asked = everybody.map((one) => ({ ...one, topicId, occasion, needsConsent: false }));
      const found = await suppressedAmong(client, { asked, now: Temporal.Now.instant() });
      expect(
        [...found.keys()].toSorted((a, b) => a - b),
        kind,
      ).toEqual(silent);
      expect(new Set([...found.values()].map(({ code }) => code))).toEqual(new Set(['suppressed']));
    }
  client.release();
});
