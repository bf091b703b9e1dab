import { offeredLanguages } from '#contract/languages.ts';

type Choice = { value: string; label: string };

/** The languages that a form offers, by name; the contact's own one is among them. */
export const languageChoices = (own: string | null): Choice[] =>
  [...new Set([...offeredLanguages, ...(own === null ? [] : [own])])]
    .map((value) => ({ value, label: languageInWords(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });

/** `German`, `German (Austria)`; the tag itself where it has no name. */
export const languageInWords = (tag: string): string => names.of(tag) ?? tag;
