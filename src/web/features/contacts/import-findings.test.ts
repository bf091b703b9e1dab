import { describe, expect, it } from 'vitest';
import type { ImportProblem, ImportRow } from '#contract/contact-imports.ts';
import { findingInWords, findingsOf } from './import-findings.ts';

const row = (
  line: number,
  of: Partial<Omit<ImportRow, 'problems'>> & { codes?: ImportProblem['code'][] },
): ImportRow => ({
  line,
  result: 'created',
  name: null,
  email: null,
  phone: null,
  shares_with: null,
  notes: [],
  ...of,
  problems: (of.codes ?? []).map((code) => ({ code, column: null, message: code })),
});

const said = (rows: ImportRow[]) => findingsOf(rows).map(findingInWords);

describe('what an import should tell', () => {
  it('names the lines of what it leaves out or changes, the most serious first', () => {
    expect(
      said([
        row(2, {}),
        row(3, { notes: [{ code: 'renamed', message: 'Is the contact Ann so far, and gets this name' }] }),
        row(4, { codes: ['unusable_value'] }),
        row(5, { result: 'joined', codes: ['other_value'] }),
        row(6, { result: 'failed', codes: ['unusable_value'] }),
        row(7, { result: 'joined', shares_with: 2, codes: ['other_value'] }),
        row(8, { result: 'failed', shares_with: 2, codes: ['other_person', 'unusable_value'] }),
        row(9, { result: 'failed', codes: ['no_address'] }),
      ]),
    ).toEqual([
      '1 person has neither an email address nor a phone number, and is left out: line 9.',
      '1 line has the address or number of somebody else in the file, who keeps it, and is left out: line 8.',
      '1 line is joined with somebody of another name: line 7.',
      '1 line cannot be used, and is left out: line 6.',
      '1 line repeats somebody with other values; the first ones stay: line 5.',
      '1 line has a value that cannot be used, and comes without it: line 4.',
      '1 contact gets another name: line 3.',
    ]);
    expect(said([row(2, {})])).toEqual([]);
  });

  it('counts the lines that it does not name', () => {
    const rows = Array.from({ length: 1_200 }, (_, at) =>
      row(at + 2, { shares_with: 1, codes: ['other_person'], result: at < 2 ? 'failed' : 'created' }),
    );
    expect(said(rows)).toEqual([
      '1,200 lines have the address or number of somebody else in the file, who keeps it, and 2 of them are left out: lines 2, 3, 4, 5, 6, 7, 8, 9 and 1,192 more.',
    ]);
  });
});
