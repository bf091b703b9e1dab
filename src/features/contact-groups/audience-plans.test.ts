import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Audience } from '#contract/audience.ts';
import { audienceNow } from '#engine/postgres/lookups.ts';
import { audienceNow as statement } from '#engine/postgres/lookups.sql.ts';
import { countMatching } from '#features/contacts/contact-lists.db.ts';
import * as groups from '#features/contact-groups/contact-groups.db.ts';
import { type Database, type Db, inTenant, openDatabase } from '#platform/database.ts';
import { onConnection } from '#platform/transaction.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { forgetPlans, reportPlans, type Scan, watchScans } from '#testing/watched-plans.ts';

const contacts = 20_000;
const most = 200;

describe('the people of an audience, among twenty thousand contacts', () => {
  let tables: Tables;
  let database: Database;
  let workspaceId: string;
  let rare: string;
  let scansOf: (work: () => Promise<unknown>) => Promise<Scan[]>;
  beforeAll(async () => {
    tables = await openTables();
    workspaceId = await tables.insertWorkspace('large');
    await tables.owner.query(
      `insert into contacts (workspace_id, name, email, email_key, tags, variables)
       select $1, 'Person ' || n, n || '@example.com', n || '@example.com',
              case when n % 500 = 0 then array['VIP', 'Tenant'] else array['Tenant'] end, jsonb_build_object('Building', (n % 1000) || ' Elm')
         from generate_series(1, $2::int) n`,
      [workspaceId, contacts],
    );
    const rule = {
      match: 'all',
      conditions: [
        { test: 'is', variable: 'building', value: '500 elm' },
        { test: 'has_tag', tag: 'vip' },
      ],
    };
    const { rows } = await tables.owner.query<{ id: string }>(
      'insert into contact_groups (workspace_id, name, rule) values ($1, $2, $3) returning id',
      [workspaceId, 'Rare', rule],
    );
    rare = rows[0]?.id ?? '';
    await tables.owner.query('vacuum (analyze) contacts, contact_groups');
    await reportPlans(tables.owner);
    database = openDatabase(tables.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    scansOf = watchScans(database);
  });
  afterAll(async () => {
    await database.close();
    await forgetPlans(tables.owner);
    await tables.close();
  });

  const contactsRead = (scans: readonly Scan[]) =>
    scans.filter(({ table }) => table === 'contacts').map(({ rows, loops }) => rows * loops);
  const asRequest = <T>(work: (db: Db) => Promise<T>) => inTenant(database.app, { workspaceId, userId: null }, work);
  const atClaim = (audience: Audience) =>
    onConnection(database.engine, (client) =>
      audienceNow(client, { workspaceId, audience, among: null, limit: most + 1 }),
    );

  it.each([
    { audience: 'a rare tag', people: 40 },
    { audience: 'a rare group', people: 20 },
    { audience: 'a common tag', people: most + 1 },
    { audience: 'everyone', people: most + 1 },
  ])('are found by a claim through an index, and no further than the most of one occurrence: $audience', async (of) => {
    const audiences: Record<string, Audience> = {
      'a rare tag': { tags: ['vip'] },
      'a rare group': { groups: [rare] },
      'a common tag': { tags: ['tenant'] },
      everyone: { everyone: true },
    };
    let people = 0;
    const scans = await scansOf(async () => {
      people = (await atClaim(audiences[of.audience] ?? {})).length;
    });
    expect(people).toBe(of.people);
    expect(contactsRead(scans).length).toBeGreaterThan(0);
    expect(contactsRead(scans).filter((rows) => rows > 2 * (most + 1))).toEqual([]);
  });

  it('are counted and named for a request through the same index', async () => {
    const audience = { tags: ['vip'], groups: [rare] };
    let described: unknown;
    const scans = await scansOf(async () => {
      described = await asRequest((db) => groups.describeAudience(db, { workspaceId, audience, names: 2 }));
    });
    expect(described).toEqual({ people: 40, names: ['Person 1000', 'Person 10000'] });
    expect(contactsRead(scans).filter((rows) => rows > most)).toEqual([]);
  });

  it('of each group are counted through the index where its rule needs a tag or a value', async () => {
    let counted: unknown[] = [];
    const scans = await scansOf(async () => {
      counted = await asRequest((db) => groups.countOfEach(db, { workspaceId }));
    });
    expect(counted).toEqual([{ id: rare, people: 20, reminders: 0 }]);
    expect(contactsRead(scans).length).toBeGreaterThan(0);
    expect(contactsRead(scans).filter((rows) => rows > most)).toEqual([]);
  });

  it('with a tag or without it are counted from the counts of tags, however many they are', async () => {
    const rule = (test: 'has_tag' | 'lacks_tag', tag: string) => ({
      match: 'all' as const,
      conditions: [{ test, tag }],
    });
    const counted: unknown[] = [];
    const scans = await scansOf(() =>
      asRequest(async (db) => {
        counted.push(
          await groups.countPeople(db, { workspaceId, tags: ['tenant'] }),
          await groups.describeAudience(db, { workspaceId, audience: { tags: [' TENANT'] }, names: 2 }),
          await groups.describeRule(db, { workspaceId, rule: rule('lacks_tag', 'vip'), names: 1 }),
          await groups.describeRule(db, { workspaceId, rule: rule('has_tag', 'nobody has it'), names: 1 }),
          await countMatching(db, { workspaceId, tag: 'Tenant' }),
          await countMatching(db, { workspaceId, tag: 'Tenant', most: 500 }),
        );
      }),
    );
    expect(counted).toEqual([
      contacts,
      { people: contacts, names: ['Person 1', 'Person 10'] },
      { people: contacts - 40, names: ['Person 1'] },
      { people: 0, names: [] },
      contacts,
      501,
    ]);
    const ofContacts = scans.filter(({ table }) => table === 'contacts');
    expect(ofContacts.length).toBeGreaterThan(0);
    // The count of everybody is read off an index.
    expect(ofContacts.filter(({ node, rows }) => node !== 'Index Only Scan' && rows > most)).toEqual([]);
  });

  it('are counted once however many they are, and the first of them named', async () => {
    for (const audience of [{ everyone: true }, { everyone: true, tags: ['vip'] }, { tags: ['tenant', 'vip'] }]) {
      expect(await asRequest((db) => groups.countPeople(db, { workspaceId, ...audience }))).toBe(contacts);
      expect(await asRequest((db) => groups.describeAudience(db, { workspaceId, audience, names: 2 }))).toEqual({
        people: contacts,
        names: ['Person 1', 'Person 10'],
      });
    }
    const lacking = { match: 'all' as const, conditions: [{ test: 'lacks_tag' as const, tag: 'VIP' }] };
    expect(await asRequest((db) => groups.describeRule(db, { workspaceId, rule: lacking, names: 1 }))).toEqual({
      people: contacts - 40,
      names: ['Person 1'],
    });
  });

  it('are nobody for a request of another workspace, or of none', async () => {
    const other = await tables.insertWorkspace('other');
    for (const asking of [other, null]) {
      const counts = await inTenant(database.app, { workspaceId: asking, userId: null }, async (db) => [
        await groups.countPeople(db, { workspaceId, everyone: true }),
        await groups.countPeople(db, { workspaceId, tags: ['vip'], groups: [rare] }),
        (await groups.findPeople(db, { workspaceId, everyone: true, limit: 5 })).length,
      ]);
      expect(counts).toEqual([0, 0, 0]);
    }
  });
});

describe('the people of an audience, just imported', () => {
  let tables: Tables;
  let database: Database;
  beforeAll(async () => {
    tables = await openTables();
    database = openDatabase(tables.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  });
  afterAll(async () => {
    await database.close();
    await tables.close();
  });

  it('are each looked up by key, before the planner has statistics', async () => {
    const workspaceId = await tables.insertWorkspace('new');
    await tables.owner.query(
      `insert into contacts (workspace_id, email, email_key)
       select $1, n || '@example.com', n || '@example.com' from generate_series(1, 2000) n`,
      [workspaceId],
    );
    const { rows } = await database.engine.query<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, timing off, format json) ${statement.text}`,
      [workspaceId, true, [], [], [], null, 2_001],
    );
    const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
    expect(plan).toMatch(/"Function Name":"audience_of"[^{}]*"Actual Rows":2000/);
    // A million comparisons of people with contacts otherwise.
    expect(plan.match(/"Rows Removed by (Join )?Filter":[1-9]\d*/g)).toBeNull();
  });
});
