import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ImportAnswer } from '#contract/contact-imports.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the columns of an imported file', () => {
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
  const shortly = ({ rows }: ImportAnswer) =>
    rows.map(({ line, result, problems }) => [
      line,
      result,
      ...problems.map(({ column, message }) => `${column}: ${message}`),
    ]);

  it('are recognized by name in any order; an unknown one becomes a variable', async () => {
    const answer = await importing(
      'Monthly Rent,Mobile phone,E-Mail Address,flatNo,Full name,Time Zone\n"1,250 €",0151 12345678,Anna@Example.com,3a,Anna Smith,Europe/Berlin\n',
      { default_country: 'DE' },
    );
    expect(answer.columns).toEqual([
      { header: 'Monthly Rent', field: 'variable', variable: 'monthly_rent', samples: ['1,250 €'] },
      { header: 'Mobile phone', field: 'phone', variable: null, samples: ['0151 12345678'] },
      { header: 'E-Mail Address', field: 'email', variable: null, samples: ['Anna@Example.com'] },
      { header: 'flatNo', field: 'variable', variable: 'flatNo', samples: ['3a'] },
      { header: 'Full name', field: 'name', variable: null, samples: ['Anna Smith'] },
      { header: 'Time Zone', field: 'timezone', variable: null, samples: ['Europe/Berlin'] },
    ]);
    expect(await kept()).toEqual([
      {
        name: 'Anna Smith',
        email: 'anna@example.com',
        phone: '+4915112345678',
        timezone: 'Europe/Berlin',
        variables: { monthly_rent: '1,250 €', flatNo: '3a' },
      },
    ]);
  });

  it('are recognized by German names, and without a known name by their content', async () => {
    const { columns } = await importing(
      'Vorname;Nachname;E-Mail-Adresse;Handynummer;Büro;Ort\nAnna;Groß;anna@example.com;+4915112345678;+49301234567;Berlin',
      { mode: 'preview' },
    );
    expect(columns.map(({ field }) => field)).toEqual([
      'first_name',
      'last_name',
      'email',
      'phone',
      'variable',
      'variable',
    ]);
    const local = await importing('Tel. mobil,Contract number,Email\n0151 23450001,123456789,anna@example.com', {
      mode: 'preview',
    });
    expect(local.columns.map(({ field }) => field)).toEqual(['phone', 'variable', 'email']);
    const unnamed = await importing('A,B,C,D\nAnna,anna@example.com,+4915112345678,Europe/Berlin', { mode: 'preview' });
    expect(unnamed.columns.map(({ field }) => field)).toEqual(['variable', 'email', 'phone', 'timezone']);
  });

  it.each([
    ['with the delimiters of a spreadsheet', 'Mieterliste Stand 15.11.2026;;;\n;;;\n'],
    ['alone, and a blank line', 'Mieterliste Stand 15.11.2026\n\n'],
  ])('have their names below a title: %s', async (_, title) => {
    const { columns, rows } = await importing(
      `${title}Vorname;Nachname;E-Mail;Straße\nAnna;Groß;anna@example;Am Hafen 1\nBen;Ost;ben@example.com;`,
      { mode: 'preview' },
    );
    expect(columns.map(({ header }) => header)).toEqual(['Vorname', 'Nachname', 'E-Mail', 'Straße']);
    expect(rows.map(({ line }) => line)).toEqual([4, 5]);
    const lines = 'Kundenmail,\nann@example.com,\nbob@example.com,\ncy@example.com,Cy';
    expect((await importing(lines, { mode: 'preview' })).rows.map(({ line }) => line)).toEqual([2, 3, 4]);
    const single = await importing('Email\nann@example.com\nBen,ben@example.com', { mode: 'preview' });
    expect(single.columns.map(({ header }) => header)).toEqual(['Email']);
  });

  it('have ss for ß in the name of a value, unless contacts have it under the name of earlier versions', async () => {
    const names = async () =>
      (await importing('Email,Straße,Größe\nanna@example.com,Elm 1,XL', { mode: 'preview' })).columns.map(
        ({ variable }) => variable,
      );
    expect(await names()).toEqual([null, 'strasse', 'grosse']);
    const body = { email: 'anna@example.com', variables: { stra_e: 'Oak 2' } };
    await dana.call('POST', '/api/contacts', { workspace, body });
    expect(await names()).toEqual([null, 'stra_e', 'grosse']);
    await importing('Email,Straße\nanna@example.com,Elm 1');
    expect(await kept()).toMatchObject([{ variables: { stra_e: 'Elm 1' } }]);
  });

  it('are read as they were chosen', async () => {
    const csv = 'Who,Where,Rent\nAnna,anna@example.com,950';
    const columns = [{ field: 'name' }, { field: 'email' }, { field: 'variable', variable: 'amount' }];
    const answer = await importing(csv, { columns });
    expect(answer.columns).toMatchObject([{ field: 'name' }, { field: 'email' }, { variable: 'amount' }]);
    expect(await kept()).toMatchObject([{ name: 'Anna', email: 'anna@example.com', variables: { amount: '950' } }]);
    const ignoring = await importing(csv, {
      columns: [{ field: 'name' }, { field: 'ignored' }, { field: 'ignored' }],
      mode: 'preview',
    });
    expect(shortly(ignoring)).toEqual([[2, 'failed', 'null: Has neither an email address nor a phone number']]);
  });

  it.each<[object[], string, string]>([
    [[{ field: 'name' }], 'columns', 'The file has 2 columns'],
    [[{ field: 'email' }, { field: 'email' }], 'columns.1.field', 'is the same as column 1, Email'],
    [
      [
        { field: 'variable', variable: 'Flat' },
        { field: 'variable', variable: 'flat' },
      ],
      'columns.1.field',
      'is the same as column 1, Email',
    ],
    [[{ field: 'email' }, { field: 'variable' }], 'columns.1.variable', 'Enter a name for this value'],
    [
      [{ field: 'email' }, { field: 'variable', variable: '1 x' }],
      'columns.1.variable',
      'must start with a letter and contain only letters, digits, _ and -',
    ],
    [Array.from({ length: 201 }, () => ({ field: 'ignored' })), 'columns', 'must be at most 200 entries'],
  ])('are refused where they cannot be: %#', async (columns, path, message) => {
    const refused = await read('Email,§\nanna@example.com,1', { columns, mode: 'preview' });
    expect([refused.status, refused.json.error.fields]).toEqual([400, [{ path, message }]]);
  });

  it('stay a value where contacts have a value of their name', async () => {
    await dana.call('POST', '/api/contacts', {
      workspace,
      body: { email: 'cem@example.com', variables: { notes: 'x', anrede: 'Herr' } },
    });
    const { columns } = await importing('Email,Anrede,Notes,Language\nanna@example.com,Frau,y,de');
    expect(columns.map(({ field, variable }) => [field, variable])).toEqual([
      ['email', null],
      ['variable', 'Anrede'],
      ['variable', 'Notes'],
      ['language', null],
    ]);
  });

  it('named Channel are the preferred channel if their cells name channels, else a value', async () => {
    const fieldOf = async (csv: string) => {
      const { columns } = await importing(csv, { mode: 'preview' });
      return columns.map(({ field, variable }) => variable ?? field);
    };
    for (const header of ['Channel', 'Kanal', 'Preferred channel', 'Bevorzugter Kanal'])
      expect(await fieldOf(`E-mail;${header}\nanna@example.com;SMS\nben@example.com;e-mail\ncem@example.com;`)).toEqual(
        ['email', 'preferred_channel'],
      );
    expect(await fieldOf('Email,Channel\nanna@example.com,Trade fair\nben@example.com,E-Mail')).toEqual([
      'email',
      'Channel',
    ]);
    expect(await fieldOf('Email,Channel,Preferred channel\nanna@example.com,Web,SMS')).toEqual([
      'email',
      'Channel',
      'preferred_channel',
    ]);
  });

  it('of languages have tags, or names in English, in German or in itself', async () => {
    const words = ['de_at', 'French', 'Spanisch', 'Français', 'TÜRKÇE', 'українська', 'português (Brasil)', 'Elvish'];
    const lines = words.map((word, at) => `p${at}@example.com,${word}`);
    const { rows } = await importing(`Email,Language\n${lines.join('\n')}`);
    expect(rows.flatMap(({ line, problems }) => problems.map(({ message }) => [line, message]))).toEqual([
      [9, '“Elvish” is not a language, such as de or pt-BR'],
    ]);
    const { data } = (await dana.call('GET', '/api/contacts?sort=created', { workspace })).json;
    const read = data.map(({ language }: { language: string | null }) => String(language));
    expect(read.sort()).toEqual(['de-AT', 'es', 'fr', 'fr', 'null', 'pt-BR', 'tr', 'uk']);
  });
});
