import fc from 'fast-check';
import { Kysely } from 'kysely';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Tags } from '#contract/audience.ts';
import { GroupRule } from '#contract/contact-groups.ts';
import { ReachBody, ReachQuery } from '#contract/reach.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { meetsRule, type RuledContact } from '#domain/contact-rule.ts';
import { renderOnThisThread } from '#domain/rendering.ts';
import * as groups from '#features/contact-groups/contact-groups.db.ts';
import { findContacts } from '#features/contacts/contact-lists.db.ts';
import { findTags } from '#features/contacts/contacts.db.ts';
import { reachOfDraft } from '#features/reach/reminder-reach.service.ts';
import { type Database, type Db, inTenant, TenantDialect } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type Asked, readWhole } from '#testing/plans.ts';
import { openTables, type Tables } from '#testing/tables.ts';

describe('rules over tags and values', { timeout: 120_000 }, () => {
  let tables: Tables;
  let owner: Client;
  let database: Database;
  beforeAll(async () => {
    tables = await openTables();
    ({ owner, database } = tables);
  });
  afterAll(() => tables.close());

  const words = [
    'VIP',
    'vip ',
    'Vıp',
    'Straße',
    'STRASSE',
    'Café',
    'cafe\u0301',
    'ΟΔΟΣ',
    'οδος',
    'İ',
    'i',
    'ﬁ',
    '１２',
    '12',
    'ß',
  ];
  const Text = fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }));
  const TagText = Text.filter((text) => Tags.safeParse([text]).success);
  const Name = fc.constantFrom(
    'building',
    'Building',
    'BUIL_DING',
    'due_date',
    'dueDate',
    'language',
    'PreferredChannel',
  );
  const ContactArb: fc.Arbitrary<RuledContact> = fc.record({
    tags: fc.array(TagText, { maxLength: 5 }).map((tags) => Tags.parse(tags)),
    variables: fc.dictionary(Name, Text, { maxKeys: 4, noNullPrototype: true }),
    language: fc.constantFrom(null, 'de', 'pt-BR'),
    timezone: fc.constantFrom(null, 'Europe/Berlin'),
    preferred_channel: fc.constantFrom(null, 'email', 'sms'),
  });
  const Condition = fc.oneof(
    fc.record({ test: fc.constantFrom('has_tag', 'lacks_tag'), tag: TagText }),
    fc.record({ test: fc.constantFrom('is', 'is_not', 'contains'), variable: Name, value: Text }),
    fc.record({
      test: fc.constantFrom('is', 'is_not', 'contains'),
      variable: fc.constantFrom('language', 'Timezone', 'preferred_channel'),
      value: fc.constantFrom('DE', 'pt-br', 'europe/berlin', 'sms', 'e'),
    }),
  );
  const Rule = fc
    .record({ match: fc.constantFrom('all', 'any'), conditions: fc.array(Condition, { minLength: 1, maxLength: 4 }) })
    .map((rule) => GroupRule.safeParse(rule).data)
    .filter((rule) => rule !== undefined);

  it('find the same contacts in PostgreSQL and in the domain, whatever the letters', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(ContactArb, { minLength: 1, maxLength: 8 }), Rule, async (contacts, rule) => {
        runs += 1;
        const workspaceId = await tables.insertWorkspace(`p${runs}`);
        for (const [at, contact] of contacts.entries())
          await owner.query(
            `insert into contacts (workspace_id, name, tags, variables, language, timezone, preferred_channel)
             values ($1, $2, $3, $4, $5, $6, $7)`,
            [
              workspaceId,
              String(at),
              contact.tags,
              contact.variables,
              contact.language,
              contact.timezone,
              contact.preferred_channel,
            ],
          );
        const expected = contacts.flatMap((contact, at) => (meetsRule(contact, rule) ? [String(at)] : []));
        const every = (
          await owner.query<{ id: string }>('select id from contacts where workspace_id = $1', [workspaceId])
        ).rows;
        for (const among of [null, every.map(({ id }) => id)]) {
          const { rows: found } = await owner.query<{ name: string }>(
            'select c.name from contacts_of_rule($1, $2, $3, null) r join contacts c on c.id = r.id order by name',
            [workspaceId, JSON.stringify(rule), among],
          );
          expect(found.map(({ name }) => name)).toEqual(expected);
        }
        const { rows: counted } = await owner.query('select count_of_rule($1, $2) as people', [
          workspaceId,
          JSON.stringify(rule),
        ]);
        expect(counted).toEqual([{ people: expected.length }]);
      }),
      { numRuns: 300 },
    );
  });

  describe('with ten thousand contacts and a hundred groups in each of four workspaces', () => {
    let workspace: string;
    let ids: string[];
    const asked: Asked[] = [];
    let watched: Kysely<Schema>;
    const rule = {
      match: 'any',
      conditions: Array.from({ length: 10 }, (_, at) => ({
        test: 'contains',
        variable: 'building',
        value: `${at} elm x`,
      })),
    };
    beforeAll(async () => {
      watched = new Kysely<Schema>({
        dialect: new TenantDialect({ pool: database.appPool }),
        log: ({ query }) => void asked.push(query),
      });
      for (let at = 0; at < 4; at += 1) {
        workspace = await tables.insertWorkspace(`large${at}`);
        await owner.query(
          `insert into contacts (workspace_id, name, email, email_key, tags, variables)
           select $1, 'Person ' || n, n || '@example.com', n || '@example.com',
                  case when n % 100 = 0 then array['VIP', 'Tenant'] else array['Tenant'] end,
                  jsonb_build_object('Building', (n % 50) || ' Elm', 'amount', n::text)
             from generate_series(1, 10000) n`,
          [workspace],
        );
        const { rows } = await owner.query<{ id: string }>(
          "insert into contact_groups (workspace_id, name, rule) select $1, 'G' || n, $2 from generate_series(1, 100) n returning id",
          [workspace, rule],
        );
        ids = rows.map(({ id }) => id);
      }
      await owner.query('vacuum (analyze) contacts, contact_groups');
    });

    const of = () => ({ watched, asked, workspace });

    it('read no table whole, however the audience is chosen', async () => {
      const [group = ''] = ids;
      const someContacts = (
        await owner.query('select id from contacts where workspace_id = $1 limit 1000', [workspace])
      ).rows;
      for (const audience of [
        { everyone: true },
        { groups: ids.slice(0, 20) },
        { tags: ['vip', 'no such tag'] },
        { contacts: someContacts.map(({ id }) => id) },
        { everyone: true, groups: [group], tags: ['vip'], contacts: [someContacts[0].id] },
      ])
        expect(await readWhole(of(), (db) => groups.countPeople(db, { workspaceId: workspace, ...audience }))).toEqual(
          [],
        );
      const page = { sort: 'name', workspaceId: workspace, after: null, limit: 50 } as const;
      expect(await readWhole(of(), (db) => findContacts(db, { ...page, tag: 'vip' }))).toEqual([]);
      expect(await readWhole(of(), (db) => findContacts(db, { ...page, group }))).toEqual([]);
      expect(await readWhole(of(), (db) => findTags(db, { workspaceId: workspace, limit: 500 }))).toEqual([]);
      expect(await readWhole(of(), (db) => groups.findGroups(db, { workspaceId: workspace }))).toEqual([]);
    });

    it('find and count whom they should', async () => {
      const inWorkspace = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
        inTenant(database.app, { workspaceId: workspace, userId: null }, work);
      expect(
        await inWorkspace((db) => groups.countPeople(db, { workspaceId: workspace, tags: ['VIP', 'tenant'] })),
      ).toBe(10_000);
      const people = await inWorkspace((db) =>
        groups.findPeople(db, { workspaceId: workspace, tags: ['vip'], everyone: true, limit: 20_000 }),
      );
      expect(Map.groupBy(people, ({ through }) => through)).toMatchObject({ size: 2 });
      expect(people.filter(({ through }) => through === 'tag vip')).toHaveLength(100);
    });

    it('tell whom a reminder reaches in a handful of statements, none of which reads a table whole', async () => {
      await owner.query(
        "insert into suppressions (workspace_id, channel, recipient, reason) select $1, 'email', n || '@example.com', 'unsubscribed' from generate_series(1, 2000) n",
        [workspace],
      );
      await owner.query('vacuum (analyze) suppressions');
      const draft = ReachBody.parse({
        content: {
          subject: 'Rent',
          message: '{{Amount}} {{due_date}}',
          recipients: Array.from({ length: 5_000 }, (_, n) => `${n + 5_001}@example.com`),
          values: {},
        },
        metadata: { channels: ['email'], audience: { everyone: true, groups: ids.slice(0, 20), tags: ['vip'] } },
      });
      let statements = 0;
      const reach = (db: Db, query: object) =>
        reachOfDraft(
          {
            db,
            workspaceId: workspace,
            now: Temporal.Now.instant(),
            role: 'member',
            actor: { kind: 'user', userId: workspace },
          },
          { draft, query: ReachQuery.parse(query) },
          {
            secrets: createSecretBox(TEST_ENCRYPTION_KEY),
            defaults: createDefaultRoutes({ sandbox: null, mailServer: { url: 'smtp://localhost', from: 'a@b.c' } }),
            renderer: renderOnThisThread,
          },
        );
      const scanned = await readWhole(of(), async (db) => {
        const { finish } = await reach(db, { kind: 'lacks_value', limit: 200 });
        statements = asked.length;
        const answer = await finish(() => Promise.reject(new Error('reads nothing more')));
        expect(answer).toMatchObject({ total: 10_000, messages: 0, unchecked: 0 });
        expect(answer.counts).toEqual([
          { kind: 'reached', of: null, people: 0 },
          { kind: 'unsubscribed', of: 'email', people: 2_000 },
          { kind: 'lacks_value', of: 'due_date', people: 8_000 },
        ]);
        expect(answer.data).toHaveLength(200);
      });
      // The names of the workspace and its channels are a handful of rows.
      expect(scanned.filter((table) => !['channels', 'workspaces'].includes(table))).toEqual([]);
      expect(statements).toBeLessThan(10);
    });
  });
});
