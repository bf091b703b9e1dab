import { Button, Text, UnstyledButton } from '@mantine/core';
import type { Reach, ReachCount } from '#contract/reach.ts';
import list from '#web/ui/list.module.css';
import { messageOf } from '#web/ui/message-of.ts';
import prose from '#web/ui/prose.module.css';
import classes from './reach.module.css';
import { areReachedOtherwise, countText } from './reach-words.ts';

type ReachCountsProps = {
  /** What the group of counts is called. */
  label: string;
  counts: Reach['counts'];
  /** The kind whose people are shown, where they are shown below. */
  chosen?: ReachCount | undefined;
  onChoose: (count: ReachCount) => void;
};

/** `188 get it · 3 lack Amount`, each a button that lists these people. */
export const ReachCounts = ({ label, counts, chosen, onChoose }: ReachCountsProps) => (
  <div className={list.badges} role="group" aria-label={label}>
    {counts.map((count) =>
      count.people === 0 ? (
        <span key={count.kind} className={classes.nobody}>
          {countText(count)}
        </span>
      ) : (
        <UnstyledButton
          key={`${count.kind} ${count.of}`}
          component="button"
          className={classes.count}
          data-tone={toneOf(count)}
          aria-pressed={chosen === undefined ? undefined : isSame(count, chosen)}
          onClick={() => onChoose(count)}
        >
          {countText(count)}
        </UnstyledButton>
      ),
    )}
  </div>
);

/** Who was left out on purpose, has opted out, or gets it over another channel, is no fault. */
const toneOf = (count: ReachCount) =>
  count.kind === 'reached' ? 'good' : onPurpose.has(count.kind) || areReachedOtherwise(count) ? 'quiet' : 'bad';

const onPurpose: ReadonlySet<ReachCount['kind']> = new Set([
  'skipped',
  'paused',
  'no_consent',
  'left_topic',
  'paused_by_recipient',
  'never_in_hours',
]);

export const isSame = (a: Pick<ReachCount, 'kind' | 'of'>, b: Pick<ReachCount, 'kind' | 'of'>) =>
  a.kind === b.kind && a.of === b.of;

/** In place of counts that could not be loaded. */
export const ReachFailed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Text className={prose.small} mt={4}>
    Who gets it could not be loaded. {messageOf(error)}{' '}
    <Button variant="subtle" size="compact-sm" onClick={onRetry}>
      Try again
    </Button>
  </Text>
);
