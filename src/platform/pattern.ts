/** What is looked for; null for a blank search. */
export const searchedText = (search = ''): string | null => search.trim() || null;

/** What `like` finds the text with, literally: % and _ are ordinary characters. Null for a blank search. */
export function patternOf(search?: string): string | null {
  const text = searchedText(search);
  return text === null ? null : containing(text);
}

/** What `like` finds the text with, as it is. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
