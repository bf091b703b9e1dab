import { glob, readFile } from 'node:fs/promises';
import { namesIn, wordsOf } from './names-in.ts';
import { ordinaryNames, privateNames, privateWords, wordsOfOneMeaning } from './private-words.ts';

/** Where a private word is still used: `term` is the word, `name` the identifier or the path that contains it. */
export type Use = { term: string; name: string; kind: 'identifier' | 'export' | 'file'; at: string };

const sources = ['src/**/*.{ts,tsx}', 'simulation/**/*.ts', 'e2e/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'];

/** Files that name the words because they list them. */
const listing = 'src/testing/terms/';

/** Every use of a private word in the identifiers and file names of the project. */
export async function privateTerms(): Promise<Use[]> {
  const uses: Use[] = [];
  for await (const found of glob(sources, { exclude: (path) => path.includes('node_modules') })) {
    const file = found.replaceAll('\\', '/');
    if (file.startsWith(listing)) continue;
    uses.push(...termsOf(file, file).map((term) => ({ term, name: file, kind: 'file' as const, at: file })));
    const termsOfNames = new Map<string, string[]>();
    for (const { text, line, isExported } of namesIn(file, await readFile(found, 'utf8')))
      for (const term of termsOfNames.getOrInsertComputed(text, () => termsOf(text, file)))
        uses.push({ term, name: text, kind: isExported ? 'export' : 'identifier', at: `${file}:${line}` });
  }
  return uses;
}

/** The uses as complaints of a check, one line each. */
export async function complaintsAboutTerms(): Promise<string[]> {
  const uses = await privateTerms();
  return uses.map(({ term, name, at }) => `${at} ${name}: ${standardOf(term)} instead of ${term}`);
}

export const standardOf = (term: string): string =>
  privateNames[term] ?? privateWords[term] ?? wordsOfOneMeaning.find(({ word }) => word === term)?.standard ?? '';

function termsOf(name: string, path: string): string[] {
  if (ordinaryNames.has(name)) return [];
  if (Object.hasOwn(privateNames, name)) return [name];
  const words = new Set(wordsOf(name).map(singular));
  const context = new Set(wordsOf(path).map(singular)).union(words);
  return [
    ...[...words].filter((word) => Object.hasOwn(privateWords, word)),
    ...wordsOfOneMeaning
      .filter(({ word, beside }) => words.has(word) && beside.some((other) => context.has(other)))
      .map(({ word }) => word),
  ];
}

const known = new Set([
  ...Object.keys(privateWords),
  ...wordsOfOneMeaning.flatMap(({ word, beside }) => [word, ...beside]),
]);
const singular = (word: string) => (word.endsWith('s') && known.has(word.slice(0, -1)) ? word.slice(0, -1) : word);
