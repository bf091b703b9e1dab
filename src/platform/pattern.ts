/** What `like` finds the text with, literally: % and _ are ordinary characters. Null for a blank search. */
export const patternOf = (search = ''): string | null =>
  search.trim() === '' ? null : `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
