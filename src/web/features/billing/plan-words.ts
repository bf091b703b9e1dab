import { capitalized } from '#domain/in-words.ts';
import { tiers } from '#contract/tiers.ts';
import { entitlements } from '#contract/plans.ts';
import type { Tone } from '#web/app/theme.ts';

/** The name of a tier, such as `Premium`; Free for an unknown one. */
export const planName = (tier: string): string => entitlements[tiers.find((one) => one === tier) ?? 'free'].name;

/** `Past due` */
export const statusWord = (status: string): string => capitalized(status.replaceAll('_', ' '));

export const statusTone = (status: string): Tone =>
  status === 'active' || status === 'trialing'
    ? 'good'
    : status === 'past_due' || status === 'unpaid'
      ? 'bad'
      : 'quiet';

/** `$9` or `$4.50`, of cents. */
export const money = (cents: number, currency = 'usd'): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  }).format(cents / 100);
