import { ActionIcon, Button } from '@mantine/core';
import { type IconProps, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { JobSummary } from '#contract/jobs.ts';
import { nameForMany } from '#domain/job-name.ts';
import { isOffered, type JobAction } from '#domain/job-state.ts';
import { useActOnJob } from './act-on-job.ts';
import classes from './JobActions.module.css';
import { actionLabel, isUnsent } from './run-words.ts';

const actions: { action: JobAction; icon: ComponentType<IconProps> }[] = [
  { action: 'pause', icon: IconPlayerPause },
  { action: 'resume', icon: IconPlayerPlay },
  { action: 'retry', icon: IconRefresh },
  { action: 'cancel', icon: IconX },
];

/** An action that is confirmed before. */
export type Asked = { action: JobAction; job: JobSummary };
export type Ask = (asked: Asked) => void;

type JobActionsProps = {
  job: JobSummary;
  /** Opens the question whether to cancel the job, or to send it after all. */
  onAsk: Ask;
  /** `icons` in a table row, `buttons` where text fits. */
  as: 'icons' | 'buttons';
};

/** The actions that the job's status allows. */
export function JobActions({ job, onAsk, as }: JobActionsProps) {
  const { act, busy } = useActOnJob();
  const offered = actions.filter(({ action }) => isOffered(action, job));
  if (offered.length === 0) return null;
  return (
    <div className={classes.actions} data-as={as}>
      {offered.map(({ action, icon: Icon }) => {
        const label = actionLabel(action, job);
        const props = {
          loading: busy === action,
          disabled: busy !== null && busy !== action,
          onClick: () => (action === 'cancel' || isUnsent(job) ? onAsk({ action, job }) : void act(action, job)),
          'aria-label': `${label} ${nameForMany(job.name)}`,
        };
        return as === 'icons' ? (
          <ActionIcon key={action} variant="subtle" color="gray" size={32} data-hint={label} {...props}>
            <Icon size={17} stroke={1.8} aria-hidden />
          </ActionIcon>
        ) : (
          <Button key={action} variant="default" size="xs" leftSection={<Icon size={15} aria-hidden />} {...props}>
            {label}
          </Button>
        );
      })}
    </div>
  );
}
