import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactSorts } from '#contract/contact-sorts.ts';
import type { ContactFilter } from '#contract/contacts.ts';
import { countMatching, findContacts } from '#features/contacts/contact-lists.db.ts';
import { type Database, inTenant, openDatabase } from '#platform/database.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { forgetPlans, reportPlans, type Scan, watchScans } from '#testing/watched-plans.ts';

describe('a search of many contacts', () => {
  let tables: Tables;
  let database: Database;
  let workspaceId: string;
  let scansOf: (work: () => Promise<unknown>) => Promise<Scan[]>;
  beforeAll(async () => {
    tables = await openTables();
    workspaceId = await tables.insertWorkspace('large');
    const other = await tables.insertWorkspace('other');
    for (const of of [workspaceId, other])
      await tables.owner.query(
        `insert into contacts (workspace_id, last_name, language, name, email, email_key, phone, tags)
         select $1, case when n % 2 = 0 then 'Müller ' || n % 7 end, case when n % 2 = 0 then (array['de', 'en'])[1 + n % 4 / 2] end, (array['Ada', 'Émil', 'Zoë'])[1 + n % 3] || ' Müller ' || n, 'p' || n || '@example.com', 'p' || n || '@example.com',
                case when n % 2 = 0 then '+49151' || (1000000 + n) end, case when n % 1500 = 0 then array['Rare'] else array['Common'] end
           from generate_series(1, 3000) n`,
        [of],
      );
    await tables.owner.query('vacuum (analyze) contacts');
    await reportPlans(tables.owner);
    database = openDatabase(tables.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    scansOf = watchScans(database);
  });
  afterAll(async () => {
    await database.close();
    await forgetPlans(tables.owner);
    await tables.close();
  });

  const asRequest = <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(database.app, { workspaceId, userId: null }, work);
  const found = (filter: ContactFilter, limit = 50) =>
    asRequest((db) => findContacts(db, { workspaceId, sort: 'name', after: null, limit, ...filter }));

  it.each<ContactFilter & { people: number }>([
    { search: 'nobody at all', people: 0 },
    { search: 'MULLER 2999', people: 1 },
    { search: 'p2999@example.com', people: 1 },
    { search: '0151 1002998', people: 1 },
    { tag: 'rare', people: 2 },
    { tag: 'no such tag', people: 0 },
  ])('that few match reads these and not the rest: %j', async ({ people, ...filter }) => {
    let rows: unknown[] = [];
    const scans = await scansOf(async () => {
      rows = (await found(filter)).rows;
    });
    expect(rows).toHaveLength(people);
    const read = scans.filter(({ table }) => table === 'contacts').map((scan) => scan.rows * scan.loops);
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter((count) => count > 20)).toEqual([]);
  });

  it.each(contactSorts)('reads no more than a page of the list by %s, in the middle of it too', async (sort) => {
    const page = { workspaceId, sort, limit: 50 } as const;
    const { rows: all } = await asRequest((db) => findContacts(db, { ...page, after: null, limit: 2_900 }));
    // Half of them have no last name and no language.
    for (const after of [null, all[750], all[1_460], all[2_250]]) {
      const scans = await scansOf(() => asRequest((db) => findContacts(db, { ...page, after: after ?? null })));
      const read = scans.filter(({ table }) => table === 'contacts').map((scan) => scan.rows * scan.loops);
      expect(read.reduce((sum, rows) => sum + rows, 0)).toBe(51);
    }
  });

  it('knows a contact by the parts of its words, and by one for each pair of neighbours', async () => {
    const partsOf = async (text: string) => {
      const { rows } = await tables.owner.query<{ count: number }>(
        'select cardinality(part_terms($1, $2)) as count from (select) as one',
        [workspaceId, text],
      );
      return rows[0]?.count;
    };
    expect(await partsOf('dana o li')).toBe(4);
    expect(await partsOf('li  o')).toBe(0);
  });

  it('finds by words of a letter or two, with any blanks between them, and contacts that were written with more parts', async () => {
    const query = (text: string, values: unknown[] = []) => tables.owner.query<{ definition: string }>(text, values);
    const { rows } = await query("select pg_get_functiondef('part_terms'::regproc) as definition");
    await query(`create or replace function part_terms(workspace uuid, value text) returns bigint[]
      language plpgsql immutable strict parallel safe as $$ begin
        return array(select hashtextextended(substr(value, at, 3), hashtextextended(workspace::text, 0))
                       from generate_series(1, char_length(value) - 2) as at);
      end $$`);
    const third = await tables.insertWorkspace('third');
    const write = (names: string[]) =>
      query('insert into contacts (workspace_id, name) select $1, name from unnest($2::text[]) as name', [
        third,
        names,
      ]);
    await write(['Jo Li', 'J  Q']);
    await query(rows[0]?.definition ?? '');
    await write(['Bo Li', 'J  K']);
    const count = (search: string) =>
      inTenant(database.app, { workspaceId: third, userId: null }, (db) =>
        countMatching(db, { workspaceId: third, search }),
      );
    for (const [search, people] of [
      ['o l', 2],
      ['Jo Li', 1],
      ['o Li', 2],
      ['J  q', 1],
      ['J  k', 1],
      ['J K', 0],
    ] as const)
      expect([search, await count(search)]).toEqual([search, people]);
  });

  it('for one or two letters that nobody has reads each contact once, not in the order of names', async () => {
    for (const search of ['q', 'qz']) {
      let rows: unknown[] = [];
      const scans = await scansOf(async () => {
        ({ rows } = await found({ search }));
      });
      expect(rows).toEqual([]);
      const whole = scans.filter((scan) => scan.table === 'contacts' && scan.rows * scan.loops > 20);
      expect(whole).toHaveLength(1);
      expect(whole.filter(({ node, index }) => node === 'Index Scan' && index === 'contacts_by_name')).toEqual([]);
    }
  });

  it('that many match ends with its page, and counts them all', async () => {
    for (const filter of [{ search: 'example' }, { tag: 'common' }]) {
      const scans = await scansOf(() => found(filter));
      const page = scans.filter(({ table, node }) => table === 'contacts' && node === 'Index Scan');
      expect(page.filter(({ rows, loops }) => rows * loops > 200)).toEqual([]);
    }
    expect(await asRequest((db) => countMatching(db, { workspaceId, search: 'example' }))).toBe(3000);
    expect(await asRequest((db) => countMatching(db, { workspaceId, tag: 'COMMON' }))).toBe(2998);
    expect(await asRequest((db) => countMatching(db, { workspaceId, search: 'Zoe', tag: 'rare' }))).toBe(0);
    expect(await asRequest((db) => countMatching(db, { workspaceId, search: 'Ada', tag: 'rare' }))).toBe(2);
  });

  it('finds those whose name, address or number has the text, however short or long it is', async () => {
    const { rows: all } = await tables.owner.query<{ text: string }>(
      'select search_text as text from contacts where workspace_id = $1',
      [workspaceId],
    );
    const Part = fc
      .tuple(fc.nat(all.length - 1), fc.nat(30), fc.integer({ min: 1, max: 9 }))
      .map(([at, from, length]) => (all[at]?.text ?? '').slice(from, from + length));
    const Sought = fc.oneof(
      Part,
      fc.string({ minLength: 1, maxLength: 4 }),
      fc.constantFrom('É', 'zoë m', '%', '0151-100', '_'),
    );
    await fc.assert(
      fc.asyncProperty(Sought, async (text) => {
        const digits = text
          .trim()
          .replaceAll(/[\s().\-/]/g, '')
          .replace(/^(\+|00|0)/, '');
        const { rows } = await tables.owner.query<{ count: number }>(
          `select count(*)::int as count from contacts
            where workspace_id = $1 and (strpos(search_text, folded($2)) > 0 or $3 and strpos(phone, $4) > 0 or email_key = lower($2))`,
          [workspaceId, text.trim(), /^\d{3,}$/.test(digits), digits],
        );
        const count = await asRequest((db) => countMatching(db, { workspaceId, search: text }));
        expect([text, count]).toEqual([text, rows[0]?.count]);
      }),
      { numRuns: 80 },
    );
  });
});
