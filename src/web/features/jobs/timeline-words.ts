import type { DeliveryEvent, DeliveryStatus } from '#contract/deliveries.ts';
import { detailsOf } from '#domain/delivery-problems.ts';
import { durationText } from '#web/ui/duration.ts';

/** The heading of an event: `Attempt 2`, `Reported delivered`. */
export function headingOf(event: DeliveryEvent): string {
  switch (event.kind) {
    case 'attempt':
      return `Attempt ${event.number}`;
    case 'put_off':
      return 'Postponed';
    case 'report':
      return reported[event.status] ?? `Reported as ${event.status}`;
    case 'ended':
      return event.status === 'skipped' ? 'Not sent' : 'Given up';
    case 'retried':
      return 'Retried manually';
    default:
      return event satisfies never;
  }
}

const reported: Partial<Record<DeliveryStatus, string>> = {
  accepted: 'Reported later',
  delivered: 'Reported delivered',
  failed: 'Reported failed',
};

/** The time of an event, or its start; null when none is recorded. */
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

/** The time from the start of an attempt to the provider's answer; null without an answer. */
export function tookText({ began_at, answered_at }: Extract<DeliveryEvent, { kind: 'attempt' }>): string | null {
  return answered_at === null ? null : durationText(Date.parse(answered_at) - Date.parse(began_at));
}

/** The reason and the provider's answer; an answer that starts with the reason replaces it. */
export function wordsOf(event: DeliveryEvent): string[] {
  switch (event.kind) {
    case 'attempt':
      return detailsOf(event);
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

/** The time of the next attempt, if the event scheduled one. */
export const nextOf = (event: DeliveryEvent): string | null =>
  event.kind === 'put_off' || (event.kind === 'attempt' && event.status === 'waiting') ? event.next_attempt_at : null;
