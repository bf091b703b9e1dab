import {
  IconAlertTriangle,
  IconArrowRight,
  IconBan,
  IconCheck,
  IconChecks,
  IconCircleDashed,
  IconClock,
  IconHelp,
  type IconProps,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconRotateClockwise,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { JobStatus } from '#contract/job-states.ts';
import type { JobExecution } from '#contract/executions.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ReminderState } from '#contract/reminders.ts';
import type { Tone } from '#web/app/theme.ts';
import classes from './StatusBadge.module.css';

type Look = { word: string; tone: Tone; icon: ComponentType<IconProps> };

const reminderLooks: Record<ReminderState, Look> = {
  active: { word: 'Active', tone: 'good', icon: IconCheck },
  paused: { word: 'Paused', tone: 'waiting', icon: IconPlayerPause },
  draft: { word: 'Draft', tone: 'quiet', icon: IconCircleDashed },
  done: { word: 'Done', tone: 'quiet', icon: IconChecks },
};

const jobLooks: Record<JobStatus, Look> = {
  pending: { word: 'Pending', tone: 'quiet', icon: IconClock },
  running: { word: 'Running', tone: 'moving', icon: IconPlayerPlay },
  completed: { word: 'Completed', tone: 'good', icon: IconCheck },
  failed: { word: 'Failed', tone: 'bad', icon: IconAlertTriangle },
  cancelled: { word: 'Cancelled', tone: 'quiet', icon: IconBan },
  paused: { word: 'Paused', tone: 'waiting', icon: IconPlayerPause },
};

const deliveryLooks: Record<DeliveryStatus, Look> = {
  queued: { word: 'Queued', tone: 'quiet', icon: IconClock },
  sending: { word: 'Sending', tone: 'moving', icon: IconArrowRight },
  waiting: { word: 'Will retry', tone: 'waiting', icon: IconRotateClockwise },
  accepted: { word: 'Accepted', tone: 'good', icon: IconCheck },
  delivered: { word: 'Delivered', tone: 'good', icon: IconChecks },
  failed: { word: 'Failed', tone: 'bad', icon: IconAlertTriangle },
  skipped: { word: 'Skipped', tone: 'quiet', icon: IconPlayerSkipForward },
  unknown: { word: 'Unknown', tone: 'waiting', icon: IconHelp },
};

/** The word of a status, for places without a badge. */
export const statusWord = (state: StatusBadgeProps): string => lookOf(state).word;

/** The tone of a status, for what is drawn in it. */
export const statusTone = (kind: 'delivery', status: DeliveryStatus): Tone => lookOf({ kind, status }).tone;

type StatusBadgeProps =
  | { kind: 'reminder'; status: ReminderState }
  | { kind: 'job'; status: JobStatus }
  | { kind: 'execution'; status: JobExecution['status'] }
  | { kind: 'delivery'; status: DeliveryStatus };

type StatusLook = { withIcon?: boolean };

/**
 * A status as icon and word on its colour. `withIcon={false}` is for places with an icon of their own.
 */
export function StatusBadge({ withIcon = true, ...state }: StatusBadgeProps & StatusLook) {
  const look = lookOf(state);
  return <ToneBadge word={look.word} tone={look.tone} icon={withIcon ? look.icon : undefined} />;
}

type ToneBadgeProps = { word: string; tone: Tone; icon?: ComponentType<IconProps> };

/** A badge for other states: a word, and an icon, in one of the five tones. */
export function ToneBadge({ word, tone, icon: Icon }: ToneBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {Icon && <Icon size={14} stroke={2} aria-hidden />}
      {word}
    </span>
  );
}

function lookOf(props: StatusBadgeProps): Look {
  switch (props.kind) {
    case 'reminder':
      return reminderLooks[props.status];
    case 'job':
    case 'execution':
      return jobLooks[props.status];
    case 'delivery':
      return deliveryLooks[props.status];
  }
}
