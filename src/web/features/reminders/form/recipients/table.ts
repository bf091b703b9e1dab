/** A row of a table, with its first line's number and its text. */
export type Row = { cells: string[]; line: number; raw: string };

/** Reads rows of cells; a quoted cell may contain the delimiter, line breaks and doubled quotes (RFC 4180). */
export function readTable(text: string, delimiter: string): Row[] {
  const rows: Row[] = [];
  let [at, line] = [0, 1];
  while (at < text.length) {
    const from = at;
    const cells: string[] = [];
    const begun = line;
    let isRowOver = false;
    while (!isRowOver) {
      const cell = readCell(text, { at, delimiter });
      cells.push(cell.value.trim());
      at = cell.end;
      isRowOver = text[at] !== delimiter;
      at += 1;
    }
    const raw = text.slice(from, at - 1);
    line += 1 + (raw.match(/\n/g)?.length ?? 0);
    if (raw.trim() !== '') rows.push({ cells, line: begun, raw: raw.replace(/\r$/, '') });
  }
  return rows;
}

function readCell(text: string, { at, delimiter }: { at: number; delimiter: string }): { value: string; end: number } {
  const quoted = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*/y;
  quoted.lastIndex = at;
  const found = quoted.exec(text);
  if (found !== null && isEnd(text[quoted.lastIndex], delimiter))
    return { value: (found[1] ?? '').replaceAll('""', '"'), end: quoted.lastIndex };
  let end = at;
  while (!isEnd(text[end], delimiter)) end += 1;
  return { value: text.slice(at, end), end };
}

const isEnd = (letter: string | undefined, delimiter: string) =>
  letter === undefined || letter === '\n' || letter === delimiter;
