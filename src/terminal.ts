import type { Recorded } from '#engine/recorder.ts';

/** What a person reads at the terminal; everything else goes to the log. */
export type Links = {
  url: string;
  demo: string | null;
  inbox: string | null;
  accountMail: string | null;
  claim: string | null;
};

export function readyText(links: Links): string {
  const rows: [string, string | null][] = [
    ['Open the demo', links.demo],
    ['Inbox', links.inbox],
    ['Account mail', links.accountMail],
    ['Become administrator', links.claim],
  ];
  const shown = rows.flatMap(([label, link]) => (link === null ? [] : [`  ${label.padEnd(22)}${link}`]));
  return ['', `Cuebird is ready at ${links.url}`, '', ...shown, ...(shown.length > 0 ? [''] : [])].join('\n');
}

/** One delivery of the demo, as it happened. */
export function deliveryText(
  { run, delivery, settled }: Recorded,
  { inbox, now }: { inbox: string; now: Temporal.Instant },
): string {
  const time = now.toZonedDateTimeISO(Temporal.Now.timeZoneId()).toPlainTime().toString({ smallestUnit: 'second' });
  const who =
    delivery.recipient_name === null
      ? shortened(delivery.recipient)
      : `${delivery.recipient_name} <${delivery.recipient}>`;
  const words = settled.answer ?? settled.reason ?? '';
  return `${time}  Delivered “${run.job.name}” by ${delivery.channel} to ${who}: ${settled.status}${words === '' ? '' : ` (${shortened(words)})`}. Read it at ${inbox}`;
}

const shortened = (text: string) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
