/** The text to search for; null for a blank search. */
export const searchedText = (search = ''): string | null => search.trim() || null;

/** The pattern of `like` that finds the text literally: % and _ are ordinary characters. Null for a blank search. */
export function patternOf(search?: string): string | null {
  const text = searchedText(search);
  return text === null ? null : containing(text);
}

/** The pattern of `like` that finds the text literally, without trimming it. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
