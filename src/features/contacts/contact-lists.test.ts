import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContactSort, contactSorts } from '#contract/contact-sorts.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

type Listed = { id: string; name: string | null; last_name: string | null; language: string | null };

describe('the list of contacts', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const add = async (contact: object) => {
    const { status, json } = await call('POST', '/api/contacts', contact);
    expect([status, json.error]).toEqual([201, undefined]);
    return json;
  };
  async function inOrder(sort: ContactSort | undefined, limit = 2): Promise<Listed[]> {
    const seen: Listed[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `${sort === undefined ? '' : `&sort=${sort}`}${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { status, json } = await call('GET', `/api/contacts?limit=${limit}${query}`);
      expect([status, json.error]).toEqual([200, undefined]);
      seen.push(...json.data);
      cursor = json.next_cursor;
    }
    return seen;
  }
  const names = async (sort?: ContactSort) => (await inOrder(sort)).map(({ name }) => name);

  it('is by name, whatever its case and accents, or by when they were added, in either direction', async () => {
    for (const name of ['bert', 'Ägidius', 'Zoë', 'Carla', 'anna']) await add({ name });
    await add({ email: 'c@example.com' });
    const byName = ['Ägidius', 'anna', 'bert', null, 'Carla', 'Zoë'];
    expect(await names()).toEqual(byName);
    expect(await names('-name')).toEqual(byName.toReversed());
    const added = ['bert', 'Ägidius', 'Zoë', 'Carla', 'anna', null];
    expect(await names('created')).toEqual(added);
    expect(await names('-created')).toEqual(added.toReversed());
  });

  it('has letters that are no letter with an accent where people look for them, by name and by last name', async () => {
    const ordered = [
      'Adam',
      'Ægir',
      'Afra',
      'Đặng',
      'Dora',
      'Ewa',
      'Łukasz',
      'Luna',
      'Ørsted',
      'Otto',
      'Straße',
      'Strato',
      'Zoë',
    ];
    for (const name of ordered.toReversed()) await add({ name, last_name: name });
    for (const sort of ['name', 'last_name'] as const) {
      expect(await names(sort)).toEqual(ordered);
      expect(await names(`-${sort}`)).toEqual(ordered.toReversed());
    }
  });

  it('is by last name and then by name; who has none comes last, by name, in both directions', async () => {
    for (const name of ['Zoe', 'elm street gmbh']) await add({ name });
    for (const [first_name, last_name] of [
      ['Carla', 'Öz'],
      ['Ben', 'adams'],
      ['Anna', 'Adams'],
      ['Dan', 'Müller'],
    ])
      await add({ first_name, last_name });
    const having = ['Anna Adams', 'Ben adams', 'Dan Müller', 'Carla Öz'];
    expect(await names('last_name')).toEqual([...having, 'elm street gmbh', 'Zoe']);
    expect(await names('-last_name')).toEqual([...having.toReversed(), 'elm street gmbh', 'Zoe']);
    const [dan] = (await call('GET', '/api/contacts?search=dan')).json.data;
    await call('PUT', `/api/contacts/${dan.id}`, { first_name: 'Dan', last_name: 'Aab' });
    expect((await names('last_name'))[0]).toBe('Dan Aab');
    await call('PUT', `/api/contacts/${dan.id}`, { name: 'Dan' });
    expect((await names('last_name')).slice(-3)).toEqual(['Dan', 'elm street gmbh', 'Zoe']);
  });

  it('has each contact once on its pages, however many are equal or lack what it is sorted by', async () => {
    const Some = fc.array(
      fc.record({
        name: fc.constantFrom('Ada', 'Ben', 'Émil', 'Łukasz', null),
        last_name: fc.constantFrom('Smith', 'smith', 'Ödön', 'Østberg', 'O"N\\eil', null),
        language: fc.constantFrom('de', 'de-AT', 'en', null),
      }),
      { minLength: 1, maxLength: 14 },
    );
    const key = (text: string | null) =>
      text?.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ø', 'o') ?? null;
    await fc.assert(
      fc.asyncProperty(Some, fc.integer({ min: 1, max: 5 }), async (people, limit) => {
        workspace = await dana.createWorkspace('Elm Street');
        await cuebird.owner.query(
          `insert into contacts (workspace_id, name, last_name, language, email, email_key)
           select $1, p ->> 'name', p ->> 'last_name', p ->> 'language', at || '@example.com', at || '@example.com'
             from jsonb_array_elements($2) with ordinality as each (p, at)`,
          [workspace, JSON.stringify(people)],
        );
        const { rows } = await cuebird.owner.query<Listed & { sort_key: string }>(
          'select id, name, last_name, language, sort_key from contacts where workspace_id = $1',
          [workspace],
        );
        for (const sort of contactSorts) {
          const down = sort.startsWith('-') ? -1 : 1;
          const field = sort.replace('-', '');
          const sortedBy = (row: (typeof rows)[number]): (string | null)[] => {
            if (field === 'last_name') return [key(row.last_name), row.sort_key, row.id];
            if (field === 'language') return [row.language, row.sort_key, row.id];
            return field === 'name' ? [row.sort_key, row.id] : [row.id];
          };
          const expected = rows.toSorted((one, other) => {
            const [a, b] = [sortedBy(one), sortedBy(other)];
            if ((a[0] === null) !== (b[0] === null)) return a[0] === null ? 1 : -1;
            const at = a.findIndex((value, index) => value !== b[index]);
            const rises = Buffer.compare(Buffer.from(a[at] ?? ''), Buffer.from(b[at] ?? ''));
            return a[0] === null ? rises : rises * down;
          });
          const listed = await inOrder(sort, limit);
          expect([sort, listed.map(({ id }) => id)]).toEqual([sort, expected.map(({ id }) => id)]);
        }
      }),
      { numRuns: 12 },
    );
  }, 60_000);

  it('goes on behind a contact that was changed or deleted after its page', async () => {
    for (const last_name of ['Adams', 'Baker', 'Clark']) await add({ last_name });
    await add({ name: 'Nobody' });
    const first = (await call('GET', '/api/contacts?limit=2&sort=last_name')).json;
    for (const { id } of first.data) await call('DELETE', `/api/contacts/${id}`);
    const rest = await call('GET', `/api/contacts?limit=2&sort=last_name&cursor=${first.next_cursor}`);
    expect(rest.json.data.map(({ name }: Listed) => name)).toEqual(['Clark', 'Nobody']);
  });

  it('refuses an order that there is not, and a cursor of another order', async () => {
    for (const name of ['Ada', 'Ben']) await add({ name });
    expect((await call('GET', '/api/contacts?sort=phone')).status).toBe(400);
    const { next_cursor: ofName } = (await call('GET', '/api/contacts?limit=1')).json;
    const forged = (at: string) =>
      Buffer.from(JSON.stringify([at, '00000000-0000-0000-0000-000000000000'])).toString('base64url');
    const cursors = [ofName, 'nonsense', forged('["a"]'), forged('[1,"a"]'), forged('["\\u0000","a"]')];
    for (const cursor of cursors) {
      const { status, json } = await call('GET', `/api/contacts?sort=last_name&cursor=${cursor}`);
      expect([cursor, status, json.error?.fields[0].path]).toEqual([cursor, 400, 'cursor']);
    }
  });
});
