/** Checked in this order, because most browsers name other ones too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The length that is examined: the client sends the header, at any length. */
const most = 400;

const nameIn = (text: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([form]) => form.test(text))?.[1];

/** `Firefox on Windows`, from a User-Agent header; the name of a program that is no browser, such as `curl`. */
export function deviceWords(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, most);
  const browser = nameIn(text, browsers);
  const system = nameIn(text, systems);
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  if (browser !== undefined || system !== undefined) return browser ?? `A browser on ${system}`;
  return /^[\w.-]{1,40}(?=\/)/.exec(text)?.[0] ?? 'Unknown device';
}

export const isPhone = (userAgent: string | null): boolean =>
  /\b(?:iPhone|Android)\b/.test((userAgent ?? '').slice(0, most));
