import type { ComboboxItem, OptionsFilter } from '@mantine/core';
import { offeredLanguages, ownNameOf } from '#contract/languages.ts';

type Choice = { value: string; label: string };

/** The languages that a form offers, by name; the contact's own one is among them. */
export const languageChoices = (own: string | null): Choice[] =>
  [...new Set([...offeredLanguages, ...(own === null ? [] : [own])])]
    .map((value) => ({ value, label: languageInWords(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });

/** `German`, `German (Austria)`; the tag itself where it has no name. */
export const languageInWords = (tag: string): string => names.of(tag) ?? tag;

/** Finds a language by its name, by what it calls itself, and by its tag. */
export const languagesNamed: OptionsFilter = ({ options, search }) => {
  const sought = plain(search);
  return options.filter((option) => 'value' in option && wordsOf(option).some((words) => words.includes(sought)));
};

const wordsOf = ({ value, label }: ComboboxItem) => [label, ownNameOf(value), value].map(plain);

const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
