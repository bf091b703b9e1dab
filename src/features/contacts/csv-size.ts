import { contactLimits } from '#contract/contacts.ts';

/** The most columns of one of the first lines, counted up to one above the limit. */
export const columnsIn = (text: string, { delimiter, lines }: { delimiter: string; lines: number }): number =>
  // `includes` is far faster than `walk` for large texts without the delimiter.
  text.includes(delimiter) ? walk(text, { delimiter, lines, columns: contactLimits.importColumns }).columns : 1;

/**
 * Why the text is too large to parse, null when it is not. One pass without allocation: the parser makes an array of
 * every line, which takes seconds for a million values.
 */
export function excessOf(text: string, delimiter: string): string | null {
  const { importColumns: columns, importLines: lines, importRows: misplaced, importCell: longest } = contactLimits;
  const size = walk(text, { delimiter, columns, lines: lines + 1 });
  if (size.longest > longest) return `The file has a value of more than ${longest.toLocaleString('en')} characters`;
  if (size.columns > columns) return `Line ${size.line} has more than ${columns} columns`;
  if (size.lines > lines) return `The file has more than ${lines} lines, blank ones included`;
  if (size.misplacedQuotes > misplaced) return `The file has more than ${misplaced} misplaced quotation marks`;
  return null;
}

/** The text in parts of whole lines, each with the line on which it begins. */
export function* partsOf(
  text: string,
  delimiter: string,
  partLength = usualPart,
): Generator<{ text: string; line: number }> {
  const separator = delimiter.charCodeAt(0);
  let [begin, line, partLine, isCellBegun] = [0, 1, 1, false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === quote && !isCellBegun) {
      const quoted = endOfQuoted(text, { from: at + 1, delimiter: separator });
      line += quoted.breaks;
      at = quoted.end;
      isCellBegun = true;
    } else if (letter === lineBreak) {
      line += 1;
      isCellBegun = false;
      if (at - begin < partLength) continue;
      // With its end: the parser reads a quote and blanks otherwise at the end of a text.
      yield { text: text.slice(begin, at + 1), line: partLine };
      [begin, partLine] = [at + 1, line];
    } else isCellBegun = letter !== separator;
  }
  yield { text: text.slice(begin), line: partLine };
}

const usualPart = 64 * 1024;

type Size = { columns: number; lines: number; line: number; misplacedQuotes: number; longest: number };

const [quote, lineBreak, blank] = [0x22, 0x0a, 0x20];

/** Stops at the maximum number of lines, or at a line with too many columns. Quotes are treated as in the CSV parser. */
function walk(text: string, most: { delimiter: string; columns: number; lines: number }): Size {
  const size: Size = { columns: 1, lines: 1, line: 1, misplacedQuotes: 0, longest: 0 };
  const delimiter = most.delimiter.charCodeAt(0);
  let [columns, line, isCellBegun, cell] = [1, 1, false, 0];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    size.longest = Math.max(size.longest, at - cell);
    if (letter === delimiter || letter === lineBreak) cell = at + 1;
    if (letter === quote && !isCellBegun) {
      const quoted = endOfQuoted(text, { from: at + 1, delimiter });
      size.misplacedQuotes += quoted.misplaced;
      line += quoted.breaks;
      at = quoted.end;
      size.longest = Math.max(size.longest, at - cell);
      isCellBegun = true;
    } else if (letter === delimiter) {
      columns += 1;
      isCellBegun = false;
      if (columns > size.columns) size.columns = columns;
      if (columns > most.columns) return { ...size, line };
    } else if (letter === lineBreak) {
      line += 1;
      columns = 1;
      isCellBegun = false;
      if (size.lines === most.lines) return size;
      size.lines += 1;
    } else isCellBegun = true;
  }
  return size;
}

/** A quote closes a cell if only blanks follow it in the cell; every other quote is escaped or misplaced. */
function endOfQuoted(text: string, { from, delimiter }: { from: number; delimiter: number }) {
  let [misplaced, breaks] = [0, 0];
  for (let at = from; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === lineBreak) breaks += 1;
    if (letter !== quote) continue;
    if (text.charCodeAt(at + 1) === quote) {
      at += 1;
      continue;
    }
    let after = at + 1;
    while (text.charCodeAt(after) === blank) after += 1;
    const next = text.charCodeAt(after);
    if (after >= text.length || next === lineBreak || next === delimiter) return { end: after - 1, misplaced, breaks };
    misplaced += 1;
  }
  return { end: text.length, misplaced, breaks };
}
