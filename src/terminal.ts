import type { PausedDeliveries, DeliveryPauseNotice } from '#contract/delivery-pause.ts';
import type { Settled } from '#domain/settle.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';

/** The links that the terminal prints; everything else goes to the log. */
export type Links = {
  url: string;
  demo: string | null;
  inbox: string | null;
  accountMail: string | null;
  adminSetup: string | null;
};

export function readyText(links: Links): string {
  const rows: [string, string | null][] = [
    ['Open the demo', links.demo],
    ['Inbox', links.inbox],
    ['Account mail', links.accountMail],
    ['Become administrator', links.adminSetup],
  ];
  const shown = rows.flatMap(([label, link]) => (link === null ? [] : [`  ${label.padEnd(22)}${link}`]));
  return ['', `Cuebird is ready at ${links.url}`, '', ...shown, ...(shown.length > 0 ? [''] : [])].join('\n');
}

/** Says that deliveries are paused, why, and how to resume them. */
export function deliveryPauseText(paused: PausedDeliveries): string {
  return [
    `Deliveries are paused: ${whyPaused(paused)}. Nothing is sent until you resume deliveries.`,
    `Due by now: ${counted(paused.due, 'occurrence')}. Planned for later: ${paused.later}.`,
    '  npm start -- pause                         shows what would be sent',
    '  npm start -- resume                        sends what is due; missed occurrences follow the rule of each reminder',
    '  npm start -- resume --overdue missed       records what is due as missed, and continues with later occurrences',
    '',
  ].join('\n');
}

export function whyPaused({ reason, backup_of: backupOf }: DeliveryPauseNotice): string {
  switch (reason) {
    case 'restored':
      return `this database was restored from a backup${backupOf === null ? '' : ` of ${shortInstant(backupOf)}`}`;
    case 'moved':
      return 'this database is not where it last delivered: it may be a copy, and what is due may have been sent already';
    case 'promoted':
      return "its database's server was promoted from a standby or recovered to an earlier time: what it has lost may have been sent already";
    case 'asked':
      return 'an administrator has asked for it';
    default:
      return reason satisfies never;
  }
}

export const shortInstant = (instant: string) => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** One line about a delivery of the demo. What was accepted can be read in the inbox. */
export function deliveryText(
  {
    job,
    delivery,
    settled,
  }: {
    job: { name: string };
    delivery: Pick<LiveDelivery, 'channel' | 'recipient' | 'recipient_name'>;
    settled: Pick<Settled, 'status' | 'answer' | 'reason'>;
  },
  { inbox, now }: { inbox: string; now: Temporal.Instant },
): string {
  const time = now.toZonedDateTimeISO(Temporal.Now.timeZoneId()).toPlainTime().toString({ smallestUnit: 'second' });
  const who =
    delivery.recipient_name === null
      ? shortened(delivery.recipient)
      : `${delivery.recipient_name} <${delivery.recipient}>`;
  const { status } = settled;
  const words = settled.answer ?? settled.reason ?? '';
  const what = `“${job.name}” by ${delivery.channel} to ${who}: ${status}${words === '' ? '' : ` (${shortened(words)})`}.`;
  if (status === 'accepted' || status === 'delivered') return `${time}  Delivered ${what} Read it at ${inbox}`;
  if (status === 'unknown') return `${time}  Perhaps delivered: ${what}`;
  return `${time}  ${status === 'waiting' ? 'Not delivered yet' : 'Not delivered'}: ${what}`;
}

const shortened = (text: string) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
