import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ImportAnswer } from '#contract/contact-imports.ts';
import { contactLimits } from '#contract/contacts.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';

const none = { created: 0, updated: 0, unchanged: 0, joined: 0, failed: 0, incomplete: 0 };

describe('an import of contacts', () => {
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

  const read = (csv: string, body: object = {}) =>
    dana.call('POST', '/api/contacts/import', { workspace, body: { csv, mode: 'import', ...body } });
  const importing = async (csv: string, body: object = {}): Promise<ImportAnswer> => {
    const answer = await read(csv, body);
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    return answer.json;
  };
  const kept = async () =>
    (await dana.call('GET', '/api/contacts', { workspace })).json.data.map(
      ({ name, email, phone, timezone, variables }: Record<string, unknown>) => ({
        name,
        email,
        phone,
        timezone,
        variables,
      }),
    );
  const people = async (): Promise<unknown[][]> =>
    (await dana.call('GET', '/api/contacts', { workspace })).json.data.map((one: Record<string, unknown>) =>
      ['name', 'salutation', 'first_name', 'last_name', 'language', 'note'].map((field) => one[field]),
    );
  const shortly = ({ rows }: ImportAnswer) =>
    rows.map(({ line, result, notes, problems }) => [
      line,
      result,
      ...notes.map(({ message }) => message),
      ...problems.map(({ column, message }) => `${column}: ${message}`),
    ]);

  it('adds a tag to everybody in the file, beside those of their lines; a contact with the tag keeps its spelling of it', async () => {
    await importing('Name,Email,Tags\nAnna,anna@example.com,house a');
    const csv = 'Name,Email,Tags\nAnna,anna@example.com,Parking\nBen,ben@example.com,\n';
    const preview = await importing(csv, { mode: 'preview', tags: ['House A', 'Owners'] });
    expect(preview.counts).toEqual({ ...none, created: 1, updated: 1 });
    expect((await importing(csv, { tags: ['House A', 'Owners'] })).counts).toEqual(preview.counts);
    const { data } = (await dana.call('GET', '/api/contacts', { workspace })).json;
    expect(data.map(({ name, tags }: Record<string, unknown>) => [name, tags])).toEqual([
      ['Anna', ['house a', 'Parking', 'Owners']],
      ['Ben', ['House A', 'Owners']],
    ]);
    const many = Array.from({ length: 21 }, (_, at) => `tag ${at}`);
    expect((await read(csv, { tags: many })).status).toBe(400);
  });

  it('keeps first and last name of two columns apart; the whole name is theirs', async () => {
    const csv =
      'Anrede,Vorname,Nachname,E-Mail,Sprache,Notiz\nFrau,Anna,Smith,anna@example.com,Deutsch,Rings twice\n,,Okafor,ben@example.com,xx-nope,\n';
    const answer = await importing(csv);
    expect(answer.columns.map(({ field }) => field)).toEqual([
      'salutation',
      'first_name',
      'last_name',
      'email',
      'language',
      'note',
    ]);
    expect(shortly(answer)).toEqual([
      [2, 'created'],
      [3, 'created', 'Sprache: “xx-nope” is not a language, such as de or pt-BR'],
    ]);
    expect(await people()).toEqual([
      ['Anna Smith', 'Frau', 'Anna', 'Smith', 'de', 'Rings twice'],
      ['Okafor', null, null, 'Okafor', null, null],
    ]);
    expect((await importing(csv)).counts).toEqual({ ...none, unchanged: 2, incomplete: 1 });
    // A name that follows its parts goes on to do so.
    await importing('First name,Email\nBen,ben@example.com');
    expect((await people()).map(([name]) => name)).toEqual(['Anna Smith', 'Ben Okafor']);
  });

  it('keeps a whole name that was written otherwise, until both of its parts are told and one is new', async () => {
    await importing('Name,First name,Last name,Email\nDr. Anna Smith,Anna,Smith,anna@example.com');
    await importing('First name,Last name,Email\nAnna,Smith,anna@example.com');
    await importing('First name,Email\nHannah,anna@example.com');
    expect(await people()).toEqual([['Dr. Anna Smith', null, 'Hannah', 'Smith', null, null]]);
    await importing('First name,Last name,Email\nHannah,Jones,anna@example.com');
    expect(await people()).toEqual([['Hannah Jones', null, 'Hannah', 'Jones', null, null]]);
  });

  it('reads the preferred channel by the names that people give it', async () => {
    const answer = await importing(
      'Email,Preferred channel\nanna@example.com,SMS\nben@example.com,E-Mail\ncem@example.com,Fax\n',
    );
    expect(shortly(answer).at(-1)).toEqual([
      4,
      'created',
      'Preferred channel: “Fax” is none of the channels email, sms and whatsapp',
    ]);
    const { data } = (await dana.call('GET', '/api/contacts', { workspace })).json;
    expect(data.map((one: Record<string, unknown>) => one['preferred_channel'])).toEqual(['sms', 'email', null]);
  });

  it('leaves out who would have more tags than a contact may have', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `tag ${at}`);
    const answer = await importing(`Email,Tags\nanna@example.com,${many.join(';')}\nben@example.com,`, {
      tags: ['House A'],
    });
    expect(shortly(answer)).toEqual([
      [2, 'failed', 'null: The contact would have more than 20 tags'],
      [3, 'created'],
    ]);
  });

  it('reads 00 before a country code as +, whatever the country of other numbers is', async () => {
    const csv = 'Name,Phone\nAnna,0049 151 23456789\nBen,0033 6 12 34 56 78\n';
    for (const default_country of [undefined, 'DE', 'US', 'AU']) {
      await importing(csv, { default_country });
      expect((await kept()).map(({ phone }: Record<string, unknown>) => phone)).toEqual([
        '+4915123456789',
        '+33612345678',
      ]);
    }
    // The prefix of Australia is 0011.
    const { rows } = await importing('Name,Phone\nCem,0011 49 151 23456780', { default_country: 'AU' });
    expect(rows[0]?.phone).toBe('+4915123456780');
  });

  it.each([
    ['semicolons, a byte order mark and Windows line ends', '\uFEFFName;Email\r\nAnna;anna@example.com\r\n', ';'],
    ['tabs', 'Name\tE-mail\nAnna\tanna@example.com', '\t'],
    ['commas, and quotes where none are needed', '"Name","Email"\n"Anna","anna@example.com"', ','],
    ['line ends of each kind', 'Name,Email\r\n\n\rAnna,anna@example.com\r', ','],
  ])('reads %s', async (_, csv, delimiter) => {
    const answer = await importing(csv);
    expect([answer.delimiter, answer.counts]).toEqual([delimiter, { ...none, created: 1 }]);
    expect(await kept()).toMatchObject([{ name: 'Anna', email: 'anna@example.com' }]);
  });

  it('joins two columns into one name', async () => {
    await importing('First Name,Last Name,Email 1 - Value\nAnna,Smith,anna@example.com\n,Jones,j@example.com\n');
    expect(await kept()).toMatchObject([{ name: 'Anna Smith' }, { name: 'Jones' }]);
  });

  it('reports the problems of each line with their column, and imports the other lines', async () => {
    const answer = await importing(
      [
        'Name,Email,Phone,Zone',
        'Anna,anna@example.com,,',
        'Bert,bert,123,Elm',
        '"Carla',
        'of two lines",carla@example.com,,',
        '',
        'Nobody,,,',
        'Dora,dora@example.com,,,,too much',
        'ANNA,ANNA@example.com,,',
        'Emil,emil@example.com,"+49 151 12345678,',
      ].join('\n'),
    );
    expect(shortly(answer)).toEqual([
      [2, 'created'],
      [
        3,
        'failed',
        'Email: “bert” is not an email address',
        'Phone: “123” is not a phone number with its country code, such as +491701234567',
        'Zone: “Elm” is not a known timezone, for example Europe/Berlin',
      ],
      [4, 'created'],
      [7, 'failed', 'null: Has neither an email address nor a phone number'],
      [8, 'failed', 'null: Has more values than the first line has columns'],
      [9, 'joined', 'Joined with line 2, Anna'],
      [10, 'failed', expect.stringContaining('null: A quotation mark is not closed'), expect.anything()],
    ]);
    expect(await kept()).toMatchObject([{ name: 'Anna' }, { name: 'Carla of two lines' }]);
  });

  it('previews the result and writes nothing', async () => {
    const answer = await importing('Name,Email\nAnna,anna@example.com\nBert,bert', { mode: 'preview' });
    expect(answer.counts).toEqual({ ...none, created: 1, failed: 1 });
    expect(answer.rows[0]).toMatchObject({ line: 2, result: 'created', name: 'Anna', email: 'anna@example.com' });
    expect(await kept()).toEqual([]);
  });

  it('updates existing contacts by address or number, and keeps values that a line leaves blank', async () => {
    await importing(
      'Name,Email,Phone,amount\nAnna,anna@example.com,,950\nBert,,+4915112345678,\nCarla,carla@example.com,,',
    );
    const answer = await importing(
      'Name,Email,Phone,flat\n,anna@example.com,+4915187654321,3\nBertram,,+49 151 12345678,\nCarla,carla@example.com,,\nAnna,anna@example.com,+4915112345678,',
    );
    expect(shortly(answer)).toEqual([
      [2, 'updated'],
      [3, 'updated', 'Is the contact Bert so far, and gets this name'],
      [4, 'unchanged'],
      [
        5,
        'joined',
        'Joined with line 2, Anna',
        'null: Its number is that of line 3, Bertram, and stays with that person',
      ],
    ]);
    expect(await kept()).toMatchObject([
      { name: 'Anna', phone: '+4915187654321', variables: { amount: '950', flat: '3' } },
      { name: 'Bertram', email: null },
      { name: 'Carla' },
    ]);
    const mixed = await importing('Email,Phone\ncarla@example.com,+4915112345678');
    expect(shortly(mixed)).toEqual([
      [2, 'failed', 'null: The address belongs to the contact Carla, the number to Bertram'],
    ]);
  });

  it('keeps what is good in a line, and tells what was left out', async () => {
    const answer = await importing(
      'Name,Email,Phone,Zone,Tags\nAnna,anna@example.com,12,Elm,VIP; Tenant\nBert,bert,+4915112345678,,\nCleo,cleo@example.com,,,a\u200bb',
    );
    expect(shortly(answer)).toEqual([
      [
        2,
        'created',
        'Phone: “12” is not a phone number with its country code, such as +491701234567',
        'Zone: “Elm” is not a known timezone, for example Europe/Berlin',
      ],
      [3, 'created', 'Email: “bert” is not an email address'],
      [4, 'created', expect.stringContaining('Tags: The tags cannot be used: has an invisible character')],
    ]);
    expect(answer.counts).toEqual({ ...none, created: 3, incomplete: 3 });
    expect((await dana.call('GET', '/api/contacts', { workspace })).json.data).toMatchObject([
      { name: 'Anna', email: 'anna@example.com', phone: null, tags: ['VIP', 'Tenant'] },
      { name: 'Bert', email: null, phone: '+4915112345678', tags: [] },
      { name: 'Cleo' },
    ]);
  });

  it('joins lines of one contact; the first value stays, and the line says which of its own does not', async () => {
    const csv = [
      'Name,Email,Phone,flat,rent',
      'Anna Smith,anna@example.com,,3,',
      ',ANNA@example.com,+4915112345678,4,950',
      '"SMITH, Ánna",anna@example.com,+4915112345679,3,',
    ].join('\n');
    const answer = await importing(csv);
    expect(shortly(answer)).toEqual([
      [2, 'created'],
      [3, 'joined', 'Joined with line 2, Anna Smith', 'null: Left out, because line 2 says otherwise: flat'],
      [4, 'joined', 'Joined with line 2, Anna Smith', 'null: Left out, because line 2 says otherwise: Phone'],
    ]);
    expect(answer.counts).toEqual({ ...none, created: 1, joined: 2, incomplete: 2 });
    expect(await kept()).toMatchObject([
      { name: 'Anna Smith', phone: '+4915112345678', variables: { flat: '3', rent: '950' } },
    ]);
    expect((await importing(csv)).counts).toEqual({ ...none, unchanged: 1, joined: 2, incomplete: 2 });
  });

  it('mixes no two people who share an address or a number: the first keeps it, and the other has what is their own', async () => {
    const csv = [
      'Name,Email,Phone,flat',
      'Anna Smith,home@example.com,,3',
      'Bert Jones,home@example.com,,4',
      'Cleo Kaya,home@example.com,+4915112345678,5',
      'Dora Okafor,dora@example.com,+49 151 12345678,6',
      ',nobody@example.com,+4915112345678,7',
    ].join('\n');
    const answer = await importing(csv);
    const ofAnna = 'null: Its address is that of line 2, Anna Smith, and stays with that person';
    const ofCleo = 'null: Its number is that of line 4, Cleo Kaya, and stays with that person';
    expect(shortly(answer)).toEqual([
      [2, 'created'],
      [3, 'failed', ofAnna],
      [4, 'created', ofAnna],
      [5, 'created', ofCleo],
      [6, 'created', ofCleo],
    ]);
    expect(answer.rows.map(({ name, shares_with: line }) => [name, line])).toEqual([
      ['Anna Smith', null],
      ['Bert Jones', 2],
      ['Cleo Kaya', 2],
      ['Dora Okafor', 4],
      [null, 4],
    ]);
    const people = [
      { name: 'Anna Smith', email: 'home@example.com', phone: null, variables: { flat: '3' } },
      { name: 'Cleo Kaya', email: null, phone: '+4915112345678', variables: { flat: '5' } },
      { name: 'Dora Okafor', email: 'dora@example.com', phone: null, variables: { flat: '6' } },
      { name: null, email: 'nobody@example.com', phone: null, variables: { flat: '7' } },
    ];
    const sorted = (list: { email: string | null }[]) =>
      list.toSorted((a, b) => `${a.email}`.localeCompare(`${b.email}`));
    expect(sorted(await kept())).toMatchObject(sorted(people));
    expect((await importing(csv)).counts).toEqual({ ...none, unchanged: 4, failed: 1, incomplete: 3 });
  });

  it('makes one contact of lines that share an address under two names, if that is chosen', async () => {
    const csv = 'Name,Email,Phone,flat\nAnna Smith,home@example.com,,\nBert Jones,home@example.com,+4915112345678,4';
    const preview = await importing(csv, { mode: 'preview', join_lines: [3] });
    expect(shortly(preview)).toEqual([
      [2, 'created'],
      [3, 'joined', 'Joined with line 2, Anna Smith', 'null: Left out, because line 2 says otherwise: Name'],
    ]);
    // The choice can be taken back.
    expect(preview.rows.map(({ shares_with: line }) => line)).toEqual([null, 2]);
    expect((await importing(csv, { join_lines: [3] })).counts).toEqual(preview.counts);
    expect(await kept()).toMatchObject([{ name: 'Anna Smith', phone: '+4915112345678', variables: { flat: '4' } }]);
    expect((await read(csv, { join_lines: [0] })).status).toBe(400);
    expect((await read(csv, { join_lines: Array.from({ length: 10_001 }, () => 3) })).status).toBe(400);
  });

  it('mixes no two people through a contact that one of them is', async () => {
    await importing('Name,Email,Phone\nAnna Smith,anna@example.com,+4915112345678');
    const answer = await importing(
      'Name,Email,Phone,flat\nAnna Smith,anna@example.com,,3\nBert Jones,,+4915112345678,4\nAnna Smith,new@example.com,+4915112345678,5',
    );
    expect(shortly(answer)).toEqual([
      [2, 'updated'],
      [3, 'failed', 'null: Its number is that of line 2, Anna Smith, and stays with that person'],
      [4, 'joined', 'Joined with line 2, Anna Smith', 'null: Left out, because line 2 says otherwise: Email, flat'],
    ]);
    expect(await kept()).toMatchObject([{ email: 'anna@example.com', variables: { flat: '3' } }]);
  });

  it('leaves out a line of one person whose address is that of another contact', async () => {
    await importing('Name,Email\nAnna Smith,anna@example.com');
    const answer = await importing(
      'Name,Email,Phone\nBert Jones,bert@example.com,+4915112345678\nBert Jones,anna@example.com,+4915112345678',
    );
    expect(shortly(answer)).toEqual([
      [2, 'created'],
      [3, 'failed', 'null: Is the same contact as line 2, and as the contact Anna Smith'],
    ]);
    expect(await kept()).toMatchObject([{ name: 'Anna Smith' }, { name: 'Bert Jones', email: 'bert@example.com' }]);
  });

  it('returns the lines with problems as a file, which can be corrected and imported', async () => {
    const answer = await importing(
      'Flat;Name;Email;Phone\n1;"Anna; Smith";;\n2;=Bert;bert@example.com;12\n3;Cleo;cleo@example.com;',
    );
    expect(answer.rows.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
      ['no_address'],
      ['unusable_value'],
      [],
    ]);
    expect(answer.problem_lines?.split('\r\n')).toEqual([
      'Flat,Name,Email,Phone,Line in the file,Problem in the import',
      '1,Anna; Smith,,,2,Has neither an email address nor a phone number',
      '2,\'=Bert,bert@example.com,12,3,"Phone: “12” is not a phone number with its country code, such as +491701234567"',
      '',
    ]);
    const corrected = answer.problem_lines
      ?.replace('Smith,,', 'Smith,anna@example.com,')
      .replace(',12,', ',+4915112345678,');
    const again = await importing(corrected ?? '');
    expect([again.problem_lines, again.counts]).toEqual([null, { ...none, created: 1, updated: 1 }]);
    expect(await kept()).toMatchObject([
      { name: '=Bert', phone: '+4915112345678', variables: { Flat: '2' } },
      { name: 'Anna; Smith', variables: { Flat: '1' } },
      { name: 'Cleo' },
    ]);
  });

  it('counts the tags of all joined lines', async () => {
    const tags = Array.from({ length: 20 }, (_, at) => `t${at}`);
    await dana.call('POST', '/api/contacts', { workspace, body: { email: 'anna@example.com', tags } });
    const answer = await importing('Email,Phone,Tags\nanna@example.com,+4915112345678,\n,+4915112345678,one more');
    expect(shortly(answer)).toEqual([
      [2, 'updated'],
      [3, 'failed', 'null: The contact would have more than 20 tags'],
    ]);
  });

  it.each([
    ['', 'The file needs a line with the names of its columns, and others below it'],
    ['Name,Email\n', 'The file needs a line with the names of its columns, and others below it'],
    [
      'Anna,anna@example.com\nBert,bert@example.com',
      'The first line must name the columns, an Email or a Phone column among them',
    ],
    [`Email\n${'a@example.com\n'.repeat(10_001)}`, 'The file has more than 10000 lines'],
    [`Email\n${'ä'.repeat(1_000_001)}`, 'The file is larger than 2 MB'],
    [
      `Email,${Array.from({ length: 51 }, (_, index) => `own ${index}`).join(',')}\nx@example.com`,
      'The file has more than 50 columns of its own',
    ],
    [`Email${','.repeat(1_900_000)}\nx@example.com`, 'Line 1 has more than 200 columns'],
    [`Email\nx@example.com${';'.repeat(1_000)}${','.repeat(200)}`, 'Line 2 has more than 200 columns'],
    [`Email\nx@example.com${'\n'.repeat(1_900_000)}`, 'The file has more than 50000 lines, blank ones included'],
    [`Email,${'x'.repeat(101)}\nx@example.com,1`, 'The name of a column is longer than 100 characters'],
  ])('refuses an invalid file: %#', async (csv, message) => {
    const refused = await read(csv);
    expect([refused.status, refused.json.error.fields]).toEqual([400, [{ path: 'csv', message }]]);
  });

  it('of thousands of lines is written, and changes nothing when repeated', async () => {
    // Ten thousand are the most of a file.
    const count = sample.takesAll ? contactLimits.importRows : 2_000;
    const lines = Array.from(
      { length: count },
      (_, index) =>
        `"Person, ${index}",person${index}@example.com,+4915${String(100_000_000 + index)},Europe/Berlin,${index} €`,
    );
    const csv = `Name,Email,Phone,Zone,amount\r\n${lines.join('\r\n')}`;
    expect((await importing(csv)).counts).toEqual({ ...none, created: count });
    expect((await importing(csv)).counts).toEqual({ ...none, unchanged: count });
    const changed = await importing(csv.replaceAll(' €', ' $'));
    expect(changed.counts.updated).toBe(count);
    const undo = `/api/contacts/import/${changed.import_id}/undo`;
    const undone = await dana.call('POST', undo, { workspace });
    expect(undone.json).toEqual({ deleted: 0, restored: count, kept: 0 });
    expect((await importing(csv)).counts.unchanged).toBe(count);
  }, 60_000);

  it('reads an exported file, in which no cell is a formula', async () => {
    const csv =
      'Name,Email,Phone,remark,amount\n"=HYPERLINK(""http://x"")",anna@example.com,+4915112345678,"+1 more, ""quoted""\nand a line",-5\n@Bert,bert@example.com,,,\n';
    await importing(csv);
    const before = await kept();
    expect(before).toMatchObject([
      { name: '=HYPERLINK("http://x")', variables: { remark: '+1 more, "quoted"\nand a line', amount: '-5' } },
      { name: '@Bert' },
    ]);
    const response = await fetch(`${cuebird.url}/api/contacts/export?workspace=${workspace}`, {
      headers: { cookie: dana.cookie },
    });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const exported = Buffer.from(await response.arrayBuffer()).toString();
    expect(exported).toBe(
      [
        '\uFEFFName,Salutation,First name,Last name,Email,Phone,Timezone,Language,Preferred channel,Note,amount,remark',
        `"'=HYPERLINK(""http://x"")",,,,anna@example.com,+4915112345678,,,,,'-5,"'+1 more, ""quoted""\nand a line"`,
        "'@Bert,,,,bert@example.com,,,,,,,",
        '',
      ].join('\r\n'),
    );
    const other = await dana.createWorkspace('Oak Street');
    await dana.call('POST', '/api/contacts/import', { workspace: other, body: { csv: exported, mode: 'import' } });
    workspace = other;
    expect(await kept()).toEqual(before);
  });
});
