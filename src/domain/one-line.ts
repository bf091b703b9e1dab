/** The text with each run of white space as one blank. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
