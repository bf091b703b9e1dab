import { z } from 'zod';

/** The languages that a form offers, as tags of BCP 47. Others are accepted, too. */
export const offeredLanguages = (
  'ar bg bn bs ca cs da de de-AT de-CH el en en-GB en-US es et fa fi fr ga he hi hr hu hy id is it ja ka kk ko lt lv mk ms mt nb nl pl pt ' +
  'pt-BR ro ru sk sl sq sr sv sw ta th tr uk ur uz vi zh zh-Hant'
).split(' ');

const languageLength = 35;

/** The canonical tag (BCP 47, such as `de-AT` for `de_at`); null for text that is no tag of a known language. */
export function languageTag(text: string): string | null {
  const tag = text.trim().replaceAll('_', '-');
  if (tag.length > languageLength || !/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag)) return null;
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    return names.of(canonical.split('-', 1)[0] ?? '') === undefined ? null : canonical;
  } catch {
    return null;
  }
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** What is said of text that is no tag. */
export const notALanguage = 'is not a language, such as de or pt-BR';

/** A language as a tag of BCP 47; null where it is blank. */
export const LanguageText = z
  .string()
  .max(languageLength)
  .transform((text) => (text.trim() === '' ? null : text.trim()))
  .refine((text) => text === null || languageTag(text) !== null, notALanguage)
  .transform((text) => (text === null ? null : languageTag(text)))
  .nullable()
  .default(null);

/** What a language calls itself: `Deutsch`, `français`. */
export const ownNameOf = (tag: string): string =>
  new Intl.DisplayNames([tag], { type: 'language', languageDisplay: 'standard' }).of(tag) ?? tag;

/** The tag of a language that is written as a tag, or by its name in English, German or itself (`German`, `Deutsch`); null where it is neither. */
export const languageNamed = (text: string): string | null =>
  languageTag(text) ?? namedTags().get(text.trim().toLowerCase()) ?? null;

let byName: ReadonlyMap<string, string> | undefined;

function namedTags(): ReadonlyMap<string, string> {
  byName ??= new Map([
    ...offeredLanguages.map((tag): [string, string] => [ownNameOf(tag).toLowerCase(), tag]),
    ...['en', 'de'].flatMap((reader) => {
      const inWords = new Intl.DisplayNames([reader], { type: 'language' });
      return offeredLanguages.map((tag): [string, string] => [(inWords.of(tag) ?? tag).toLowerCase(), tag]);
    }),
  ]);
  return byName;
}
