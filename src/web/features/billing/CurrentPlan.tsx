import '@mantine/core/styles/Progress.layer.css';
import { Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import type { Billing } from '#contract/billing.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from './billing.module.css';
import { planName, statusTone, statusWord } from './plan-words.ts';

/** The plan as it is now, and what of it is used. */
export function CurrentPlan({ billing }: { billing: Billing }) {
  return (
    <Card component="section" aria-labelledby="current-plan">
      <Group gap="8px 12px">
        <Title order={2} size="h3" id="current-plan">
          {planName(billing.tier)}
        </Title>
        <ToneBadge word={statusWord(billing.status)} tone={statusTone(billing.status)} />
      </Group>
      <Ends billing={billing} />
      {billing.usage.limit !== 0 && <Usage billing={billing} />}
    </Card>
  );
}

const useIsInTrial = ({ trial_ends_at: at }: Billing) => Date.parse(at) > useNow(60_000).getTime();

/** The trial of a plan that has less than all; nothing once it has ended. */
export function Trial({ billing }: { billing: Billing }) {
  const isInTrial = useIsInTrial(billing);
  if (billing.mode === 'off' || !isInTrial || (billing.tier !== 'free' && billing.tier !== 'basic')) return null;
  return (
    <Text c="dimmed">
      Free trial until <InstantText at={billing.trial_ends_at} show="day" />: everything of Premium is included.
    </Text>
  );
}

function Ends({ billing }: { billing: Billing }) {
  const isInTrial = useIsInTrial(billing);
  return (
    <Stack className={classes.facts} gap={4} mt={8}>
      {billing.end_date !== null && (
        <Text c="dimmed">
          {billing.ends ? 'Ends on ' : 'Renews on '}
          <InstantText at={billing.end_date} show="day" />
          {billing.status === 'past_due' && ': the last payment failed. Manage the subscription to pay it.'}
        </Text>
      )}
      <Trial billing={billing} />
      {billing.is_beyond_plan && !isInTrial && (
        <Text c="var(--status-bad)">
          The plan of its owner includes one workspace, and that is another one: nothing is sent from here.
        </Text>
      )}
    </Stack>
  );
}

const noun = (count: number) => (count === 1 ? 'reminder or message' : 'reminders and messages');
const whatCounts = 'Each counts once, however many people get it; tests are free.';

function Usage({ billing: { usage } }: { billing: Billing }) {
  const used = usage.occurrences.toLocaleString('en');
  if (usage.limit === null)
    return (
      <Text mt={16} maw={480} c="dimmed">
        {used} {noun(usage.occurrences)} sent this month, without a limit. {whatCounts}
      </Text>
    );
  const share = Math.min(100, (usage.occurrences / usage.limit) * 100);
  const words = `${used} of ${usage.limit.toLocaleString('en')} ${noun(usage.limit)} sent this month`;
  return (
    <Stack gap={8} mt={16} maw={480}>
      <Text c="dimmed">
        {words}, which ends on <InstantText at={usage.resets_at} show="day" />. {whatCounts}
      </Text>
      <Progress value={share} color={share >= 100 ? 'red' : 'cue'} aria-label={words} />
      {share >= 100 && <Text c="var(--status-bad)">Nothing more is sent this month. A higher plan sends more.</Text>}
    </Stack>
  );
}
