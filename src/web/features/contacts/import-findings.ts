import type { ImportRow } from '#contract/contact-imports.ts';
import { counted, listed } from '#domain/in-words.ts';

export type Finding = {
  kind:
    | 'no_address'
    | 'apart'
    | 'joined'
    | 'left_out'
    | 'withdrawn'
    | 'no_consent_time'
    | 'other_value'
    | 'unusable_value'
    | 'renamed';
  lines: number[];
  /** How many of these lines are left out altogether. */
  leftOut: number;
};

/** What somebody should know of an import before it, the most serious first: the lines that are left out, or become something else than they say. */
export function findingsOf(rows: readonly ImportRow[]): Finding[] {
  const linesWhere = (isMeant: (row: ImportRow) => boolean) => {
    const meant = rows.filter(isMeant);
    return {
      lines: meant.map(({ line }) => line),
      leftOut: meant.filter(({ result }) => result === 'failed').length,
    };
  };
  const has = ({ problems }: ImportRow, code: ImportRow['problems'][number]['code']) =>
    problems.some((problem) => problem.code === code);
  const found: Finding[] = [
    { kind: 'no_address', ...linesWhere((row) => has(row, 'no_address')) },
    { kind: 'apart', ...linesWhere((row) => has(row, 'other_person')) },
    { kind: 'joined', ...linesWhere(isJoinedByChoice) },
    {
      kind: 'left_out',
      ...linesWhere((row) => row.result === 'failed' && !has(row, 'no_address') && !has(row, 'other_person')),
    },
    { kind: 'withdrawn', ...linesWhere((row) => has(row, 'withdrawn')) },
    { kind: 'no_consent_time', ...linesWhere((row) => has(row, 'no_consent_time')) },
    {
      kind: 'other_value',
      ...linesWhere((row) => row.shares_with === null && has(row, 'other_value')),
    },
    { kind: 'unusable_value', ...linesWhere((row) => row.result !== 'failed' && has(row, 'unusable_value')) },
    { kind: 'renamed', ...linesWhere(({ notes }) => notes.some(({ code }) => code === 'renamed')) },
  ];
  return found.filter(({ lines }) => lines.length > 0);
}

/** Whether a line was joined with somebody of another name because it was chosen. */
export const isJoinedByChoice = ({ result, shares_with: line, problems }: ImportRow): boolean =>
  result === 'joined' && line !== null && !problems.some(({ code }) => code === 'other_person');

const linesNamed = 8;

/** A finding as a sentence that names its lines, such as `1 person has neither an email address nor a phone number and is left out: line 8.` */
export function findingInWords(finding: Finding): string {
  const { lines } = finding;
  return `${saysOf(finding)}: ${lines.length === 1 ? 'line' : 'lines'} ${numbersOf(lines)}.`;
}

function saysOf({ kind, lines: { length: count }, leftOut }: Finding): string {
  const one = count === 1;
  const lines = counted(count, 'line');
  switch (kind) {
    case 'no_address':
      return `${counted(count, 'person', 'people')} ${one ? 'has' : 'have'} neither an email address nor a phone number, and ${one ? 'is' : 'are'} left out`;
    case 'apart':
      return `${lines} ${one ? 'has' : 'have'} the address or number of somebody else in the file, who keeps it${apartInWords({ count, leftOut })}`;
    case 'joined':
      return `${lines} ${one ? 'is' : 'are'} joined with somebody of another name`;
    case 'left_out':
      return `${lines} cannot be used, and ${one ? 'is' : 'are'} left out`;
    case 'withdrawn':
      return `${counted(count, 'person', 'people')} ${one ? 'has' : 'have'} withdrawn, or ${one ? 'is' : 'are'} on the suppression list: no consent of theirs is recorded`;
    case 'no_consent_time':
      return `${lines} ${one ? 'does' : 'do'} not say when they agreed: no consent is recorded`;
    case 'other_value':
      return `${lines} ${one ? 'repeats' : 'repeat'} somebody with other values; the first ones stay`;
    case 'unusable_value':
      return `${lines} ${one ? 'has' : 'have'} a value that cannot be used, and ${one ? 'comes' : 'come'} without it`;
    case 'renamed':
      return `${counted(count, 'contact')} ${one ? 'gets' : 'get'} another name`;
    default:
      return kind satisfies never;
  }
}

function apartInWords({ count, leftOut }: { count: number; leftOut: number }): string {
  if (leftOut === 0) return '';
  if (leftOut === count) return `, and ${count === 1 ? 'is' : 'are'} left out`;
  return `, and ${leftOut.toLocaleString('en')} of them ${leftOut === 1 ? 'is' : 'are'} left out`;
}

function numbersOf(lines: readonly number[]): string {
  const named = lines.slice(0, linesNamed).map(String);
  const more = lines.length - named.length;
  return listed(more === 0 ? named : [...named, `${more.toLocaleString('en')} more`]);
}
