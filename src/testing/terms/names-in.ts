import { parseSync, Visitor } from 'vite';

/** A name that a source writes: a variable, a property, a type, a parameter or a JSX attribute. */
export type Name = { text: string; line: number; isExported: boolean };

/** Every identifier of a TypeScript source, in its order. */
export function namesIn(file: string, source: string): Name[] {
  const { program, module, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be read: ${error.message}`);
  const exported = new Set(
    module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? '')),
  );
  const lineOf = lineIndex(source);
  const names: Name[] = [];
  const add = ({ name, start }: { name: string; start: number }) =>
    names.push({ text: name, line: lineOf(start), isExported: exported.has(name) });
  new Visitor({
    Identifier: (node) => void add(node),
    PrivateIdentifier: (node) => void add(node),
    JSXIdentifier: (node) => void add(node),
  }).visit(program);
  return names;
}

/** The words of a name: `isRateLimited` has `is`, `rate` and `limited`. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

function lineIndex(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
