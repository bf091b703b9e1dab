import type { DeliveryEvent, DeliveryStatus } from '#contract/jobs.ts';
import { durationText } from '#web/ui/duration.ts';

/** What happened, in a few words: `Attempt 2`, `Reported delivered`. */
export function headingOf(event: DeliveryEvent): string {
  switch (event.kind) {
    case 'attempt':
      return `Attempt ${event.number}`;
    case 'put_off':
      return 'Put off';
    case 'report':
      return reported[event.status] ?? `Reported as ${event.status}`;
    case 'ended':
      return event.status === 'skipped' ? 'Not sent' : 'Given up';
    case 'retried':
      return 'Retried by hand';
    default:
      return event satisfies never;
  }
}

const reported: Partial<Record<DeliveryStatus, string>> = {
  accepted: 'Reported later',
  delivered: 'Reported delivered',
  failed: 'Reported failed',
};

/** When it happened or began; null where nobody noted it. */
export function instantOf(event: DeliveryEvent): string | null {
  switch (event.kind) {
    case 'attempt':
      return event.began_at;
    case 'put_off':
      return null;
    case 'report':
    case 'ended':
    case 'retried':
      return event.at;
    default:
      return event satisfies never;
  }
}

/** How long an attempt took to its answer; null while there is none. */
export function tookText({ began_at, answered_at }: Extract<DeliveryEvent, { kind: 'attempt' }>): string | null {
  return answered_at === null ? null : durationText(Date.parse(answered_at) - Date.parse(began_at));
}

/** What was said: the reason, and where its words go on, the provider's answer instead. */
export function wordsOf(event: DeliveryEvent): string[] {
  switch (event.kind) {
    case 'attempt': {
      const { reason, provider_answer: answer } = event;
      const said = reason !== null && answer?.startsWith(`${reason}: `) === true ? [answer] : [reason, answer];
      return [...new Set(said)].filter((words) => words !== null && words !== '').map(String);
    }
    case 'put_off':
      return event.reason === null ? [] : [event.reason];
    case 'report':
    case 'ended':
      return event.words === null ? [] : [event.words];
    case 'retried':
      return [];
    default:
      return event satisfies never;
  }
}

/** When it is tried next, where that was still ahead. */
export const nextOf = (event: DeliveryEvent): string | null =>
  event.kind === 'put_off' || (event.kind === 'attempt' && event.status === 'waiting') ? event.next_attempt_at : null;
