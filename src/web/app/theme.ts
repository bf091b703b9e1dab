import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { FocusableButton } from '#web/ui/FocusableButton.tsx';

/** The teal accent colour: shade 7 carries white text in light mode, shade 4 dark text in dark mode. */
const cue: MantineColorsTuple = [
  '#e6f6f5',
  '#c9ecea',
  '#9fdcd9',
  '#6fcfca',
  '#3fc1bc',
  '#1fa7a5',
  '#10878b',
  '#0a6c74',
  '#0a575f',
  '#08434a',
];
const gray: MantineColorsTuple = [
  '#f6f8f8',
  '#eef2f2',
  '#e4eaeb',
  '#d5dedf',
  '#bcc8cb',
  '#82959a',
  '#53666b',
  '#3e4f54',
  '#29383c',
  '#142225',
];
const dark: MantineColorsTuple = [
  '#e3ecec',
  '#b9c7ca',
  '#93a7ab',
  '#74898e',
  '#2c3c42',
  '#213036',
  '#182529',
  '#121c1f',
  '#0c1416',
  '#070d0f',
];
const green: MantineColorsTuple = [
  '#e3f4e8',
  '#c6e9d1',
  '#9fdcb3',
  '#7bd79f',
  '#5fd38d',
  '#35b36a',
  '#228a4d',
  '#17693a',
  '#12552f',
  '#0e4124',
];
const blue: MantineColorsTuple = [
  '#e4effb',
  '#c8dff7',
  '#a6cdf6',
  '#8fc2fb',
  '#7ab8ff',
  '#4693e6',
  '#2d77cb',
  '#1b5fb0',
  '#174f92',
  '#123e73',
];
const yellow: MantineColorsTuple = [
  '#fdf0d5',
  '#fae2b1',
  '#f6cf84',
  '#f3c067',
  '#f0b34a',
  '#d28f1e',
  '#ae700a',
  '#8a5300',
  '#704400',
  '#573500',
];
const red: MantineColorsTuple = [
  '#fdeaea',
  '#fbd2d0',
  '#fbb5b0',
  '#fda29a',
  '#ff8f86',
  '#e55a50',
  '#cf3c33',
  '#b3261e',
  '#931e17',
  '#741812',
];

/** Filled shades are dark in light mode and bright in dark mode, so the text on them follows the scheme. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === 'filled' ? { ...colors, color: 'var(--on-filled)' } : colors;
};

// Without this role, screen readers treat a dialog's <header> as a second banner of the page.
const attributes = { header: { role: 'presentation' } };

/** The Mantine theme: 14 px base, 4 px grid; text uses shades 7 (light) and 4 (dark). */
export const theme = createTheme({
  primaryColor: 'cue',
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver,
  black: '#142225',
  colors: { cue, gray, dark, green, blue, yellow, red },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.333', sm: '1.4286', md: '1.4286', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '2px', sm: '4px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  shadows: {
    xs: '0 1px 2px rgb(20 34 37 / 6%)',
    sm: '0 1px 3px rgb(20 34 37 / 8%)',
    md: '0 4px 16px rgb(20 34 37 / 10%)',
    lg: '0 12px 32px rgb(20 34 37 / 14%)',
    xl: '0 24px 48px rgb(20 34 37 / 18%)',
  },
  headings: {
    fontWeight: '640',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '2rem' },
      h2: { fontSize: '1.125rem', lineHeight: '1.5rem' },
      h3: { fontSize: '1rem', lineHeight: '1.5rem' },
      h4: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { component: FocusableButton } },
    ActionIcon: { defaultProps: { component: FocusableButton } },
    Card: { defaultProps: { withBorder: true, radius: 'lg', padding: 'lg' } },
    Paper: { defaultProps: { radius: 'lg' } },
    Modal: { defaultProps: { radius: 'lg', centered: true, transitionProps: { duration: 150 }, attributes } },
    Drawer: { defaultProps: { transitionProps: { duration: 180 }, attributes } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 }, withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 } } },
    Combobox: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 } } },
    PasswordInput: { defaultProps: { visibilityToggleFocusable: true } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
  },
});

/** The product's own CSS variables, one set per scheme; only `--status-*` colours express state. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--page': '#f6f8f8',
    '--line': '#dce4e5',
    '--on-filled': '#ffffff',
    '--mantine-primary-color-contrast': '#ffffff',
    '--input-line': '#82959a',
    '--mantine-color-default-border': '#c9d4d6',
    '--mantine-color-placeholder': '#66797e',
    '--mantine-color-error': '#b3261e',
    ...statusColors({
      good: ['#17693a', '#e3f4e8'],
      moving: ['#1b5fb0', '#e4effb'],
      waiting: ['#8a5300', '#fdf0d5'],
      bad: ['#b3261e', '#fdeaea'],
      quiet: ['#4c5f64', '#ebf0f0'],
    }),
  },
  dark: {
    '--page': '#0c1416',
    '--line': '#223036',
    '--on-filled': '#0c1416',
    '--mantine-primary-color-contrast': '#0c1416',
    '--mantine-color-cue-light': 'rgb(63 193 188 / 14%)',
    '--mantine-color-cue-light-hover': 'rgb(63 193 188 / 20%)',
    '--mantine-color-cue-light-color': '#6fcfca',
    '--input-line': '#5c7177',
    '--mantine-color-default-border': '#2c3c42',
    '--mantine-color-placeholder': '#82979c',
    '--mantine-color-error': '#ff8f86',
    ...statusColors({
      good: ['#5fd38d', '#12301f'],
      moving: ['#7ab8ff', '#12283f'],
      waiting: ['#f0b34a', '#35260b'],
      bad: ['#ff8f86', '#3d1817'],
      quiet: ['#a3b5b9', '#1e2c30'],
    }),
  },
});

/** The colour group of a state; the word and the icon name the state itself. */
export type Tone = 'good' | 'moving' | 'waiting' | 'bad' | 'quiet';

function statusColors(tones: Record<Tone, readonly [ink: string, background: string]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tones).flatMap(([tone, [ink, background]]) => [
      [`--status-${tone}`, ink],
      [`--status-${tone}-ground`, background],
    ]),
  );
}
