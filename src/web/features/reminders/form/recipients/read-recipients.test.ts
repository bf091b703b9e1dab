import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/reminders.ts';
import { recipientKey } from '#domain/recipients.ts';
import { peopleTableIn, readRecipients } from './read-recipients.ts';
import { readTable } from './table.ts';

const read = (text: string, given: Partial<Parameters<typeof readRecipients>[1]> = {}) =>
  readRecipients(text, { recipients: [], channels: ['email'], ...given });

it('a table tells how many people it lists, and which columns are no part of a recipient', () => {
  expect(
    peopleTableIn('\uFEFFName;E-Mail;Telefon;Miete;Haus\r\nAnn;ann@x.org;;900;1\r\n\r\nBen;ben@x.org;;;2'),
  ).toEqual({
    rows: 2,
    others: ['Miete', 'Haus'],
  });
  expect(peopleTableIn('email,name,\nann@x.org,Ann,')).toEqual({ rows: 1, others: [] });
  expect(peopleTableIn('ann@x.org, ben@x.org\nMiete;Haus')).toBeNull();
  expect(peopleTableIn(`email${',x'.repeat(300)}\nann@x.org`)).toBeNull();
});

describe('a text with recipients', () => {
  it('is read by lines, without blanks and duplicates, in any spelling', () => {
    const text = 'ben@example.com\r\n\n  ann@example.com  \nBEN@example.com\n+49 30 1234567\n+49 (30) 123-4567\n';
    expect(read(text, { recipients: ['Ann Lee <ann@example.com>'] })).toEqual({
      added: ['ben@example.com', '+49 30 1234567'],
      present: 3,
      unusable: [],
      rest: '',
    });
  });

  it('may list several recipients in a line, with names', () => {
    expect(read('Ada <ada@x.org>, bob@y.org; +49 30 1234567').added).toEqual([
      'Ada <ada@x.org>',
      'bob@y.org',
      '+49 30 1234567',
    ]);
    expect(read('"Lee, Ann" <ann@x.org>; Ito, Ben <ben@x.org>').added).toEqual([
      '"Lee, Ann" <ann@x.org>',
      'Ito, Ben <ben@x.org>',
    ]);
    expect(read('ann@x.org ben@x.org  https://x.org/hook').added).toHaveLength(3);
  });

  it('keeps the commas of a URL', () => {
    expect(read('https://x.org/hook?a=1,2;3').added).toEqual(['https://x.org/hook?a=1,2;3']);
    expect(read('https://x.org/a,https://x.org/b,ann@x.org').added).toEqual([
      'https://x.org/a',
      'https://x.org/b',
      'ann@x.org',
    ]);
  });

  it('has one recipient per line when a line is not a list; its format is not checked', () => {
    expect(read('board room\nRoom 3, second floor').added).toEqual(['board room', 'Room 3, second floor']);
  });

  it('keeps invalid entries, with their line and the reason', () => {
    const { added, unusable, rest } = read('ann@x.org\nben@x.org, nonsense; carl@');
    expect(added).toEqual(['ann@x.org', 'ben@x.org']);
    expect(unusable.map(({ line, text }) => [line, text])).toEqual([
      [2, 'nonsense'],
      [2, 'carl@'],
    ]);
    expect(rest).toBe('nonsense\ncarl@');
  });

  it('stops at the maximum number of recipients, and keeps the rest', () => {
    const recipients = Array.from({ length: limits.recipients - 1 }, (_, at) => `${at}@x.org`);
    const { added, unusable, rest } = read('ann@x.org\nben@x.org', { recipients });
    expect([added, rest]).toEqual([['ann@x.org'], 'ben@x.org']);
    expect(unusable).toEqual([{ line: 2, text: 'ben@x.org', why: 'a reminder has at most 10,000 recipients' }]);
  });
});

describe('a table with recipients', () => {
  const table = [
    'Name,Email,Phone',
    '"Lee, Ann",ann@x.org,+49 30 1234567',
    '"Ito ""Ben""',
    'Tanaka",ben@x.org,',
    ',carl@x.org,',
    'Dana,,+49 30 7654321',
    'Eve,,',
    'Finn,nonsense,',
  ].join('\r\n');

  it('is read by its column names, including quotes and line breaks', () => {
    const { added, unusable, rest } = read(table);
    expect(added).toEqual([
      'Lee, Ann <ann@x.org>',
      'Ito "Ben"\nTanaka <ben@x.org>'.replace('\n', ' '),
      'carl@x.org',
      'Dana <+49 30 7654321>',
    ]);
    expect(unusable).toEqual([
      { line: 7, text: 'Eve', why: 'there is neither an email address nor a phone number' },
      { line: 8, text: 'nonsense', why: 'it is neither an email address nor a phone number' },
    ]);
    expect(rest).toBe('Name,Email,Phone\nEve,,\nFinn,nonsense,');
  });

  it('gives the addresses that the chosen channels use', () => {
    const added = (channels: Parameters<typeof readRecipients>[1]['channels']) =>
      read('email;mobile\nann@x.org;+49301234567', { channels }).added;
    expect(added(['email'])).toEqual(['ann@x.org']);
    expect(added(['sms'])).toEqual(['+49301234567']);
    expect(added(['email', 'whatsapp'])).toEqual(['ann@x.org', '+49301234567']);
  });

  it('joins first and last names, and accepts text copied from a spreadsheet', () => {
    expect(read('First Name\tLast Name\tEmail Address\nAnn\tLee\tann@x.org').added).toEqual(['Ann Lee <ann@x.org>']);
    expect(read('\uFEFFemail\nann@x.org').added).toEqual(['ann@x.org']);
  });
});

it('a table of more than 200 columns is not read', () => {
  const text = `email${',x'.repeat(200)}\nann@example.com`;
  const read = readRecipients(text, { recipients: [], channels: ['email'] });
  expect(read.added).toEqual([]);
  expect(read.unusable).toMatchObject([{ line: 1, why: 'a table has at most 200 columns' }]);
  expect(read.rest).toBe(text);
});

it('every pasted entry is added, already present, or left with a reason', () => {
  const piece = fc.constantFrom('ann@x.org', 'Ann <ann@x.org>', '+49 30 1234567', 'nonsense?', '', 'https://x.org/a');
  const line = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(', '));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const first = read(lines.join('\n'));
      const keys = new Set(first.added.map(recipientKey));
      const again = read(lines.join('\n'), { recipients: first.added });
      expect(again.added).toEqual([]);
      expect(keys.size).toBe(first.added.length);
      const said = [...first.added, ...first.unusable.map(({ text }) => text)].join('\n');
      for (const word of ['nonsense?', 'ann@x.org', 'https://x.org/a'])
        expect(said.includes(word)).toBe(lines.join('\n').includes(word));
    }),
  );
});

it('cells keep their quoted text, and rows the number of their first line', () => {
  expect(readTable('a,"b ""c"", d"\n\n"e\nf",g', ',')).toEqual([
    { cells: ['a', 'b "c", d'], line: 1, raw: 'a,"b ""c"", d"' },
    { cells: ['e\nf', 'g'], line: 3, raw: '"e\nf",g' },
  ]);
});
