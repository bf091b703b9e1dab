import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { cssVariables, theme } from '#web/app/theme.ts';

const readable = 4.5;
const visible = 3;
const tones = ['good', 'moving', 'waiting', 'bad', 'quiet'] as const;
const merged = mergeMantineTheme(DEFAULT_THEME, theme);
const { light, dark } = cssVariables(merged);

const schemes = [
  { name: 'light', variables: light, surface: '#ffffff', filledShade: 7, dimmed: merged.colors.gray[6] },
  { name: 'dark', variables: dark, surface: merged.colors.dark[7], filledShade: 4, dimmed: merged.colors.dark[2] },
];

describe.each(schemes)('on the $name scheme', ({ variables, surface, filledShade, dimmed }) => {
  const values = new Map<string, string>(Object.entries(variables));
  const variable = (name: string) => values.get(name) ?? '';

  it.each(tones)('the tone %s has enough contrast on its own background, on a card and on the page', (tone) => {
    const ink = variable(`--status-${tone}`);
    expect(contrast(ink, variable(`--status-${tone}-ground`))).toBeGreaterThanOrEqual(readable);
    expect(contrast(ink, surface)).toBeGreaterThanOrEqual(readable);
    expect(contrast(ink, variable('--page'))).toBeGreaterThanOrEqual(readable);
  });

  it.each(['cue', 'green', 'blue', 'yellow', 'red'])('the label of a filled %s button has enough contrast', (color) => {
    const background = merged.colors[color]?.[filledShade] ?? '';
    expect(contrast(variable('--on-filled'), background)).toBeGreaterThanOrEqual(readable);
  });

  it('secondary text and placeholders have enough contrast on a card', () => {
    expect(contrast(dimmed, surface)).toBeGreaterThanOrEqual(readable);
    expect(contrast(variable('--mantine-color-placeholder'), surface)).toBeGreaterThanOrEqual(readable);
  });

  it('the edge of an input is visible', () => {
    expect(contrast(variable('--input-line'), surface)).toBeGreaterThanOrEqual(visible);
  });
});

/** The WCAG 2.2 contrast ratio of two `#rrggbb` colours. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const channels = /^#(..)(..)(..)$/.exec(hex)?.slice(1).map(linear);
  if (!channels) throw new Error(`not a colour: '${hex}'`);
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(hexPair: string): number {
  const value = Number.parseInt(hexPair, 16) / 255;
  return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
