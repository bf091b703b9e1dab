import { privateTerms, standardOf } from '#testing/terms/private-terms.ts';
import { privateNames, privateWords, wordsOfOneMeaning } from '#testing/terms/private-words.ts';

/** Prints the number of uses of each private word in identifiers, exports and file names: `npm run terms`. */
const uses = await privateTerms();
const count = (term: string, kind: string) => uses.filter((use) => use.term === term && use.kind === kind).length;
const terms = [
  ...Object.keys(privateWords),
  ...Object.keys(privateNames),
  ...wordsOfOneMeaning.map(({ word }) => word),
];
const rows = terms.map((term) => ({
  term,
  standard: standardOf(term),
  identifiers: count(term, 'identifier'),
  exports: count(term, 'export'),
  files: count(term, 'file'),
}));
console.table(rows);
for (const { at, name, term } of uses) console.log(`${at} ${name} (${term})`);
