import { contactLimits } from '#contract/contacts.ts';
import { type ChannelType } from '#contract/channel-types.ts';
import { limits } from '#contract/reminders.ts';
import { parseRecipient, recipientKey } from '#domain/recipients.ts';
import { columnsIn, recipientsIn } from './read-rows.ts';
import { splitLine } from './split-line.ts';
import { readTable } from './table.ts';

/** The result of reading a text: `rest` is the unusable part, as written. */
export type ReadRecipients = {
  added: string[];
  present: number;
  unusable: { line: number; text: string; why: string }[];
  rest: string;
};

/** A part of the text as a recipient, or the reason why it is unusable. `raw` is the text to correct. */
export type Found = { line: number; raw: string } & ({ recipient: string } | { text: string; why: string });

type Given = { recipients: readonly string[]; channels: readonly ChannelType[] };

/**
 * Reads recipients from lines, from lists with commas or semicolons, or from a table with a header row. Existing
 * recipients are counted, and unusable text is kept and reported, so that nothing is lost.
 */
export function readRecipients(text: string, { recipients, channels }: Given): ReadRecipients {
  const { head, found } = foundIn(text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n'), channels);
  const known = new Set(recipients.map(recipientKey));
  const read: ReadRecipients = { added: [], present: 0, unusable: [], rest: '' };
  const rest = new Set<string>();
  const leave = ({ line, raw }: Found, left: { text: string; why: string }) => {
    read.unusable.push({ line, ...left });
    rest.add(raw);
  };
  for (const one of found) {
    if ('why' in one) leave(one, { text: one.text, why: one.why });
    else if (known.has(recipientKey(one.recipient))) read.present += 1;
    else if (recipients.length + read.added.length >= limits.recipients)
      leave(one, { text: one.recipient, why: tooMany });
    else {
      known.add(recipientKey(one.recipient));
      read.added.push(one.recipient);
    }
  }
  read.rest = rest.size === 0 ? '' : [...(head === null ? [] : [head]), ...rest].join('\n');
  return read;
}

const tooMany = `a reminder has at most ${limits.recipients.toLocaleString('en')} recipients`;

function foundIn(text: string, channels: readonly ChannelType[]): { head: string | null; found: Found[] } {
  for (const delimiter of [',', ';', '\t']) {
    const [first, ...rows] = readTable(text, delimiter);
    const columns = first === undefined ? null : columnsIn(first.cells);
    if (first !== undefined && columns !== null && first.cells.length > contactLimits.importColumns) {
      const why = `a table has at most ${contactLimits.importColumns} columns`;
      return { head: null, found: [{ line: 1, raw: text, text: `${first.raw.slice(0, 80)}…`, why }] };
    }
    if (first !== undefined && columns !== null)
      return { head: first.raw, found: rows.flatMap((row) => recipientsIn(row, { columns, channels })) };
  }
  return { head: null, found: text.split('\n').flatMap((line, at) => foundInLine(line.trim(), at + 1)) };
}

function foundInLine(text: string, line: number): Found[] {
  return splitLine(text).map((piece) =>
    piece === text || parseRecipient(piece).kind !== 'other'
      ? { line, raw: piece, recipient: piece }
      : { line, raw: piece, text: piece, why: 'it is neither an e-mail address, a phone number nor a URL' },
  );
}
