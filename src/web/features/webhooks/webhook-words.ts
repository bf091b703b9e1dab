import type { Webhook, Activity, ActivityType } from '#contract/webhooks.ts';
import type { Tone } from '#web/app/theme.ts';

export const activityWords: Record<ActivityType, string> = {
  'delivery.accepted': 'A message was accepted by the next server',
  'delivery.delivered': 'A provider reported that a message arrived',
  'delivery.failed': 'A message failed for good',
  'delivery.skipped': 'A message was not sent, on purpose',
  'delivery.unknown': 'It is not known whether a message arrived',
  'job.completed': 'A job was completed',
  'job.failed': 'A job failed',
  'job.cancelled': 'A job was cancelled',
  'job.paused': 'A job was paused',
  'job.missed': 'A job was missed, or is beyond the plan',
  'recipient.unsubscribed': 'Somebody unsubscribed',
  'recipient.paused': 'Somebody paused optional messages',
  'recipient.suppressed': 'Somebody is not written to any more',
  'consent.given': 'Somebody agreed to be written to',
  'consent.withdrawn': 'Somebody withdrew their consent',
};

type Look = { word: string; tone: Tone };

export const activityLooks: Record<Activity['status'], Look> = {
  waiting: { word: 'Waiting', tone: 'moving' },
  accepted: { word: 'Accepted', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  unknown: { word: 'Unknown', tone: 'waiting' },
  dropped: { word: 'Dropped', tone: 'bad' },
};

/** An active webhook that nothing has accepted lately is failing. */
export function webhookLook({ state, failing_since: failingSince }: Pick<Webhook, 'state' | 'failing_since'>): Look {
  switch (state) {
    case 'active':
      return failingSince === null ? { word: 'On', tone: 'good' } : { word: 'Failing', tone: 'waiting' };
    case 'off':
      return { word: 'Off', tone: 'quiet' };
    case 'disabled':
      return { word: 'Disabled', tone: 'bad' };
    default:
      return state satisfies never;
  }
}
