import { ActionIcon, Card, Flex, Text, Title } from '@mantine/core';
import { IconChevronRight, IconCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FirstSteps as Steps } from '#contract/dashboard.ts';
import { configQuery } from '#web/api/config.ts';
import { useDismissFirstSteps } from '#web/api/dashboard.ts';
import { act } from '#web/ui/act.ts';
import prose from '#web/ui/prose.module.css';
import classes from './FirstSteps.module.css';

type Step = {
  id: keyof Steps;
  label: string;
  note: string;
  to: '/contacts' | '/channels' | '/reminders/new' | '/inbox' | '/jobs';
  search?: { pick: 'starters' };
};

const stepsOf = (hasSandbox: boolean): Step[] => [
  { id: 'contact', label: 'Add a contact', note: 'Somebody to remind, or a file of people', to: '/contacts' },
  {
    id: 'channel',
    label: 'Add a channel',
    note: 'Your mail server, SMS, WhatsApp, Slack or a webhook',
    to: '/channels',
  },
  {
    id: 'reminder',
    label: 'Create a reminder',
    note: 'From a template for rent, inspections, on-call or renewals, or in your own words',
    to: '/reminders/new',
    search: { pick: 'starters' },
  },
  {
    id: 'message',
    label: 'See its message',
    note: hasSandbox
      ? 'Use Test on the reminder: here every message arrives in the Inbox'
      : 'Use Test on the reminder, or wait until it is due',
    to: hasSandbox ? '/inbox' : '/jobs',
  },
];

/** What a new workspace does first; each step is ticked by what has happened. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const { data: config } = useQuery(configQuery);
  const dismiss = useDismissFirstSteps();
  const shown = stepsOf(config?.sandbox === true).filter(({ id }) => steps[id] !== null);
  const done = shown.filter(({ id }) => steps[id]).length;
  return (
    <Card padding={0} component="section" aria-labelledby="first-steps" mb={{ base: 16, md: 24 }}>
      <Flex gap={12} align="center" p="12px 12px 12px var(--gutter)">
        <Title order={2} id="first-steps">
          First steps
        </Title>
        <Text span flex={1} fz={13} c="dimmed">
          {done} of {shown.length} done
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Dismiss the first steps"
          loading={dismiss.isPending}
          onClick={() => void act(dismiss.mutateAsync(), { failed: 'Error dismissing the first steps' })}
        >
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Flex>
      <ol className={classes.list}>
        {shown.map(({ id, label, note, to, search }) => (
          <li key={id}>
            <Link to={to} search={search ?? {}} className={classes.step} data-done={steps[id] || undefined}>
              {steps[id] ? (
                <IconCircleCheckFilled size={20} aria-label="Done" />
              ) : (
                <IconCircle size={20} stroke={1.6} aria-label="Open" />
              )}
              <span className={prose.lines}>
                <span className={classes.label}>{label}</span>
                <span className={prose.small}>{note}</span>
              </span>
              <IconChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
