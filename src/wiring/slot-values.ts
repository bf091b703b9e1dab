import type { BillingMode } from '#contract/tiers.ts';
import { dialedNumber } from '#domain/dialed-number.ts';
import type { SlotValues } from '#pages/slots.ts';
import type { Config } from '#platform/config.ts';

/** What the pages of the build say of this installation. */
export function slotValues(
  config: Pick<
    Config,
    'APP_URL' | 'SUPPORT_EMAIL' | 'SUPPORT_PHONE' | 'OPERATOR_NAME' | 'OPERATOR_ADDRESS' | 'billing'
  >,
  { hasDemo, now }: { hasDemo: boolean; now: Temporal.Instant },
): SlotValues {
  return {
    appUrl: config.APP_URL?.replace(/\/$/, '') ?? null,
    supportEmail: config.SUPPORT_EMAIL ?? null,
    supportPhone: config.SUPPORT_PHONE ?? null,
    supportPhoneDigits: config.SUPPORT_PHONE === undefined ? null : dialedNumber(config.SUPPORT_PHONE),
    demoPath: hasDemo ? '/api/demo' : null,
    priceNote: priceNotes[config.billing],
    billing: config.billing === 'off' ? null : config.billing,
    operatorName: config.OPERATOR_NAME ?? null,
    operatorAddress: config.OPERATOR_ADDRESS ?? null,
    year: String(now.toZonedDateTimeISO('UTC').year),
  };
}

const priceNotes: Record<BillingMode, string | null> = {
  off: 'This installation charges nothing: no plan limits anything here.',
  sandbox: 'This is an evaluation: payments are simulated, and no card is charged.',
  stripe: null,
};
