import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTags, findVariableNames } from '#features/contacts/contacts.db.ts';
import { type Database, inTenant, openDatabase } from '#platform/database.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { forgetPlans, reportPlans, watchScans } from '#testing/watched-plans.ts';

describe('the tags and the names of values in use', () => {
  let tables: Tables;
  beforeAll(async () => {
    tables = await openTables();
  });
  afterAll(() => tables.close());

  const wordsIn = async (table: string, workspaceId: string) =>
    (
      await tables.owner.query<{ kind: string; word: string; contacts: number }>(
        `select kind, word, contacts from ${table} where workspace_id = $1 order by 1, word collate "C"`,
        [workspaceId],
      )
    ).rows;
  const readOff = `(select c.workspace_id, w.kind, w.word, count(*)::int as contacts
                      from contacts c cross join lateral words_of_contact(c.tags, c.variables) as w group by 1, 2, 3) read`;

  const Tags = fc.uniqueArray(fc.constantFrom('vip', 'Mieter', 'Café', 'Oak'), { maxLength: 3 });
  const Values = fc.dictionary(fc.constantFrom('rent', 'Rent', 'building'), fc.constantFrom('1', '2'), { maxKeys: 2 });
  const Act = fc.oneof(
    fc.record({ act: fc.constant('add' as const), count: fc.integer({ min: 1, max: 4 }), tags: Tags, values: Values }),
    fc.record({ act: fc.constant('change' as const), of: fc.integer({ min: 1, max: 3 }), tags: Tags, values: Values }),
    fc.record({ act: fc.constant('rename' as const) }),
    fc.record({ act: fc.constant('remove' as const), of: fc.integer({ min: 1, max: 3 }) }),
  );

  it('are those that the contacts have, whatever was added, changed and removed, many at a time', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(Act, { minLength: 1, maxLength: 8 }), async (acts) => {
        runs += 1;
        const workspaceId = await tables.insertWorkspace(`words${runs}`);
        const third = `workspace_id = $1 and ('x' || right(id::text, 2))::bit(8)::int % 3 < $2`;
        for (const one of acts) {
          if (one.act === 'add')
            await tables.owner.query(
              "insert into contacts (workspace_id, name, tags, variables) select $1, 'P', $2, $3 from generate_series(1, $4::int)",
              [workspaceId, one.tags, one.values, one.count],
            );
          else if (one.act === 'change')
            await tables.owner.query(`update contacts set tags = $3, variables = $4 where ${third}`, [
              workspaceId,
              one.of,
              one.tags,
              one.values,
            ]);
          else if (one.act === 'rename')
            await tables.owner.query("update contacts set name = 'Q' where workspace_id = $1", [workspaceId]);
          else await tables.owner.query(`delete from contacts where ${third}`, [workspaceId, one.of]);
          expect(await wordsIn('contact_words', workspaceId)).toEqual(await wordsIn(readOff, workspaceId));
        }
        await tables.owner.query('delete from workspaces where id = $1', [workspaceId]);
        expect(await wordsIn('contact_words', workspaceId)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('are counted right when two write at once, in whatever order their words come', async () => {
    const workspaceId = await tables.insertWorkspace('together');
    const others = await Promise.all([1, 2].map(() => connectOwner(tables.url)));
    const lists = [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
    ];
    for (let round = 0; round < 20; round += 1)
      await Promise.all(
        others.map((client, at) =>
          client.query('insert into contacts (workspace_id, name, tags) values ($1, $2, $3)', [
            workspaceId,
            'P',
            lists[at],
          ]),
        ),
      );
    await Promise.all(
      others.map((client, at) =>
        client.query('delete from contacts where workspace_id = $1 and tags = $2', [workspaceId, lists[at]]),
      ),
    );
    expect(await wordsIn('contact_words', workspaceId)).toEqual([]);
    await Promise.all(others.map((client) => client.end()));
  });

  it('are read by the statement that writes the contacts, without a query for each of them', async () => {
    const workspaceId = await tables.insertWorkspace('imported');
    const { owner } = tables;
    const calls = async () => {
      const { rows } = await owner.query<{ calls: string }>(
        "select coalesce(sum(calls), 0) as calls from pg_stat_xact_user_functions where funcname = 'words_of_contact'",
      );
      return Number(rows[0]?.calls);
    };
    await owner.query('begin');
    await owner.query("set local track_functions = 'all'");
    await owner.query(
      `insert into contacts (workspace_id, name, tags, variables)
       select $1, 'P' || n, array['Tenant'], '{"rent": "1"}' from generate_series(1, 200) n`,
      [workspaceId],
    );
    await owner.query(`update contacts set tags = array['VIP'] where workspace_id = $1`, [workspaceId]);
    await owner.query(`delete from contacts where workspace_id = $1 and name like '%7'`, [workspaceId]);
    expect(await calls()).toBe(0);
    await owner.query('commit');
    expect(await wordsIn('contact_words', workspaceId)).toEqual([
      { kind: 'tag', word: 'VIP', contacts: 180 },
      { kind: 'variable', word: 'rent', contacts: 180 },
    ]);
  });

  it('are refused where a tag is blank, too long, twice in two spellings, or one of too many', async () => {
    const workspaceId = await tables.insertWorkspace('refused');
    const write = (tags: (string | null)[]) =>
      tables.owner
        .query('insert into contacts (workspace_id, name, tags) values ($1, $2, $3)', [workspaceId, 'P', tags])
        .then(
          () => 'written',
          () => 'refused',
        );
    const many = (count: number) => Array.from({ length: count }, (_, at) => `tag ${at}`);
    for (const tags of [[], ['VIP', 'Mieter'], ['x'.repeat(50)], many(20)]) expect(await write(tags)).toBe('written');
    for (const tags of [[''], [' '], ['x'.repeat(51)], ['Café', 'cafe '], ['VIP', null], many(21)])
      expect(await write(tags)).toBe('refused');
  });

  it('are listed without reading a contact', async () => {
    const workspaceId = await tables.insertWorkspace('large');
    await tables.owner.query(
      `insert into contacts (workspace_id, name, tags, variables)
       select $1, 'P' || n, array[case when n % 3 = 0 then 'VIP' else 'vip' end, 'Area ' || n % 4], '{"rent": "1", "Unit": "2"}'
         from generate_series(1, 300) n`,
      [workspaceId],
    );
    await tables.owner.query('vacuum (analyze) contacts, contact_words');
    await reportPlans(tables.owner);
    const database: Database = openDatabase(tables.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    const read: unknown[] = [];
    const scans = await watchScans(database)(() =>
      inTenant(database.app, { workspaceId, userId: null }, async (db) => {
        read.push(
          await findTags(db, { workspaceId, limit: 3 }),
          await findVariableNames(db, { workspaceId, limit: 9 }),
        );
      }),
    );
    await database.close();
    await forgetPlans(tables.owner);
    expect(read).toEqual([
      [
        { tag: 'Area 0', contacts: 75 },
        { tag: 'Area 1', contacts: 75 },
        { tag: 'Area 2', contacts: 75 },
      ],
      ['Unit', 'rent'],
    ]);
    const tablesRead = new Set(scans.map(({ table }) => table));
    expect([...tablesRead]).toEqual(['contact_words']);
  });
});
