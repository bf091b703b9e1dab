import type { BillingMode } from '#contract/tiers.ts';
import type { Status } from '#contract/status.ts';
import { dialedNumber } from '#domain/dialed-number.ts';
import { headlineOf, stateOf, troublesText } from '#domain/status-words.ts';
import type { SlotValues } from '#pages/slots.ts';
import type { Config } from '#platform/config.ts';

/** The values of the installation that pages of the build show. `status`: only for the page that shows it. */
export function slotValues(
  config: Pick<
    Config,
    'APP_URL' | 'SUPPORT_EMAIL' | 'SUPPORT_PHONE' | 'OPERATOR_NAME' | 'OPERATOR_ADDRESS' | 'billing'
  >,
  { hasDemo, now, status }: { hasDemo: boolean; now: Temporal.Instant; status: Status | null },
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
    statusState: status && stateOf(status),
    statusHeadline: status && headlineOf(status),
    statusTroubles: status && troublesText(status),
  };
}

const priceNotes: Record<BillingMode, string | null> = {
  off: null,
  sandbox: 'This is an evaluation: payments are simulated, and no card is charged.',
  stripe: null,
};
