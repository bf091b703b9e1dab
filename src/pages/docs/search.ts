/** A part of the documentation that can be found: a page's beginning, or what stands below one heading. */
export type Entry = { path: string; page: string; heading: string; text: string };

export type Found = Entry & { excerpt: string };

/** Limits of the entered text and of what is shown for it. */
export const searchLimits = { characters: 100, words: 8, results: 8, excerpt: 140 } as const;

export type Search = (query: string) => Found[];

/** Searches the entries for those that have all words, or beginnings of words; headings count more than text. */
export function createSearch(entries: readonly Entry[]): Search {
  const prepared = entries.map((entry) => ({
    entry,
    page: wordsOf(entry.page),
    heading: wordsOf(entry.heading),
    text: wordsOf(entry.text),
  }));
  return (query) => {
    const words = wordsOf(query.slice(0, searchLimits.characters)).trim().split(' ').slice(0, searchLimits.words);
    if (words[0] === '') return [];
    return prepared
      .map(({ entry, page, heading, text }, at) => {
        const scores = words.map((word) => {
          const isIn = (of: string) => of.includes(` ${word}`);
          return (isIn(heading) ? 5 : 0) + (isIn(page) ? 3 : 0) + (isIn(text) ? 1 : 0);
        });
        return { entry, at, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, searchLimits.results)
      .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry.text, words) }));
  };
}

/** The words of a text in lower case, each after a blank. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()}`;

/** The text around the first occurrence of one of the words. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = found.length === 0 ? 0 : Math.min(...found);
  const from = first < 50 ? 0 : lower.indexOf(' ', first - 50) + 1;
  const cut = text.slice(from, from + searchLimits.excerpt);
  return `${from > 0 ? '… ' : ''}${cut}${from + cut.length < text.length ? ' …' : ''}`;
}
