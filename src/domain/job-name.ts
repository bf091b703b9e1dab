/** The name of a job for many people: `…` in place of what has a value for each. */
export const nameForMany = (name: string): string => name.replaceAll(/\{\{[^{}]{0,200}\}\}/g, '…');
