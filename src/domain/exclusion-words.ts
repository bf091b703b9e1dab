import { dayInWords } from '#domain/day-in-words.ts';

/** Why a person was not sent a run, and why none of the reminders before a day such as `2026-12-01`. */
export const skippedText = 'This run was skipped for this person';
export const pausedText = (until: string): string => `Reminders to this person were paused until ${dayInWords(until)}`;
