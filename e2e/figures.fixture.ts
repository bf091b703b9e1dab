import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Each figure of a screen, with the words beside it: one that is shown and not listed, or listed and not shown, is a difference. */
export type Screen = {
  path: string;
  name?: string;
  figures: string[];
  /** What a narrow window shows beside them. */
  narrow?: string[];
};

export const times = (count: number, text: string) => Array.from({ length: count }, () => text);
export const percent = (part: number, whole: number) => `${(Math.floor((1_000 * part) / whole) / 10).toFixed(1)}%`;

/** Opens a screen and compares its figures. What is asked for and expected changes at midnight, and when something is sent: then it is opened again. */
export async function expectFigures(page: Page, screen: () => Screen, { isNarrow = false } = {}): Promise<void> {
  let opened = '';
  const found = async () => {
    const { path, figures, narrow = [] } = screen();
    const asked = `${path} ${figures.join()}`;
    if (opened !== asked) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      opened = asked;
    }
    const shown = figuresOf(await textOf(page));
    return isNarrow ? differencesOfNumbers(shown, [...figures, ...narrow]) : differences(shown, figures);
  };
  await expect.poll(found).toEqual({ isNotListed: [], isNotShown: [] });
}

const differences = (shown: readonly string[], listed: readonly string[]) => ({
  isNotListed: without(shown, listed).toSorted(),
  isNotShown: without(listed, shown).toSorted(),
});

/** On a narrow screen tables are cards, with other words: the numbers are the same, and buttons may repeat one. */
function differencesOfNumbers(shown: readonly string[], listed: readonly string[]) {
  const numbersOf = (lines: readonly string[]) => lines.flatMap((line) => line.match(/\d[\d.,:]*/g) ?? []);
  const [here, expected] = [numbersOf(shown), numbersOf(listed)];
  return { isNotListed: here.filter((one) => !expected.includes(one)), isNotShown: without(expected, here).toSorted() };
}

/** What has digits and is no figure: addresses, times and days of the choice, and what the product always says. */
const others = [
  /@example\.com/,
  /^\d+ \w+ \d{4}$/,
  /days\. until then/,
  /Entries are kept for 400 days/,
  /two-factor/,
  /next (24 hours|60 days)/i,
  /^the last 30 days$/,
  /^9[59]% accepted within$/,
  /in its last 15 seconds/,
  // Numbers and ids of things.
  /^\+\d{6,}$/,
  /^([0-9a-f]{8}…|[0-9a-f]{8}-)/,
  /^What goes out over built-in channels is caught here/,
  /^http:\/\/127\.0\.0\.1:\d+\/hooks\//,
  /^From 127\.0\.0\.1\. Signed in/,
  /^A device is signed out after 30 days/,
  /^Each night at 2:00 UTC/,
  /^The next one is due/,
  /^Who has not used Cuebird for 30 days/,
  // What is measured as the screen is read, and the bounds that it names.
  /cores(,|$| of)/,
  /\b(MiB|GiB|requests|connections)\b/,
  /^\d+ processe?s?$/,
  /renewed every 15 seconds/,
  /^(Last Half within|of \d+ process)/,
  /^On the first of each month/,
  /^(15 minutes|95% within|99% within)$/,
  /^\S+ m?s \S+ m?s /,
  /version 0\.1\.0/,
  /kept for 365 days/,
];

/** The lines of a screen that have digits; a number that stands alone, with what stands before it. */
function figuresOf(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => line.replaceAll(/\s+/g, ' ').trim() || []);
  return lines.flatMap((line, at) => {
    if (!/\d/.test(line) || others.some((other) => other.test(line))) return [];
    const isValue = /^[\d.,]+(%|s| ms)?$/.test(line) && /^[A-Z\d]/.test(lines[at - 1] ?? '');
    return [isValue && !/^0\.2s$/.test(line) ? `${lines[at - 1]} ${line}` : line];
  });
}

/** The lines of one list that the other does not have, as often as it lacks them. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The screen, with the dialog that is open in front of it, and how many cards it has. */
async function textOf(page: Page): Promise<string> {
  await page.addStyleTag({ content: 'time { display: none !important }' });
  const main = page.getByRole('main');
  const isLoading = (await main.locator('[aria-busy=true], .mantine-Skeleton-root').count()) > 0;
  if (isLoading) return '1 screen that loads';
  const texts = [await main.innerText(), ...(await page.getByRole('dialog').allInnerTexts())];
  const cards = await main.getByRole('article').count();
  return [...texts, ...(cards > 0 ? [`${cards} cards`] : [])].join('\n');
}
