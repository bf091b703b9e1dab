import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { categoryColors } from '#contract/template-categories.ts';

const readable = 4.5;
const css = await readFile(new URL('CategoryBadge.module.css', import.meta.url), 'utf8');

/** The light and dark color-mix values of a property, read from the style sheet. */
function mixturesOf(property: string) {
  const rule = new RegExp(`\\n  ${property}: light-dark\\(([^;]+)\\);`).exec(css)?.[1] ?? '';
  const found = [...rule.matchAll(/color-mix\(in srgb, var\(--category\) (\d+)%, (#\w+)\)/g)];
  return found.map(([, share, background]) => ({ share: Number(share) / 100, background: background ?? '' }));
}

describe.each(['light', 'dark'].map((scheme, at) => ({ scheme, at })))('on the $scheme scheme', ({ at }) => {
  it.each(categoryColors)('the badge of a $name category has enough contrast', ({ hex }) => {
    const [ink, background] = ['color', 'background'].map((property) => mixed(hex, mixturesOf(property)[at]));
    expect(contrast(ink ?? [], background ?? [])).toBeGreaterThanOrEqual(readable);
  });
});

function mixed(hex: string, mixture: { share: number; background: string } | undefined): number[] {
  if (mixture === undefined) throw new Error('the style sheet has another form');
  const others = channels(mixture.background);
  return channels(hex).map((value, at) => value * mixture.share + (others[at] ?? 0) * (1 - mixture.share));
}

function channels(hex: string): number[] {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex;
  return [1, 3, 5].map((at) => Number.parseInt(full.slice(at, at + 2), 16));
}

/** The WCAG 2.2 contrast ratio. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
