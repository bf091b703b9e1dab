import { Card, SimpleGrid, Skeleton } from '@mantine/core';
import { IconBell, IconCircleCheck, IconTemplate, IconUsers } from '@tabler/icons-react';
import type { useDashboard } from '#web/api/dashboard.ts';
import classes from './StatCards.module.css';

type Dashboard = ReturnType<typeof useDashboard>;

const stats = [
  { key: 'activeReminders', label: 'Active Reminders', icon: IconBell },
  { key: 'completedThisWeek', label: 'Completed This Week', icon: IconCircleCheck },
  { key: 'teamMembers', label: 'Team Members', icon: IconUsers },
  { key: 'templates', label: 'Templates', icon: IconTemplate },
] as const;

export function StatCards({ dashboard }: { dashboard: Dashboard }) {
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 12, sm: 16 }} aria-busy={dashboard.isPending}>
      {stats.map(({ key, label, icon: Icon }) => (
        <Card key={key} className={classes.stat}>
          <div className={classes.label}>
            {label}
            <Icon size={18} stroke={1.6} aria-hidden />
          </div>
          {dashboard.isPending ? (
            <>
              <Skeleton height={28} width={56} mt={6} mb={6} />
              <Skeleton height={12} width="70%" my={4} />
            </>
          ) : (
            <>
              <div className={classes.figure}>{dashboard.data?.[key].toLocaleString('en') ?? '–'}</div>
              {dashboard.data && <Change by={dashboard.data.changes[key]} />}
            </>
          )}
        </Card>
      ))}
    </SimpleGrid>
  );
}

function Change({ by }: { by: number }) {
  const sign = by === 0 ? '±' : by > 0 ? '+' : '−';
  return (
    <div className={classes.change}>
      <span data-change={Math.sign(by)}>
        {sign}
        {Math.abs(by).toLocaleString('en')}
      </span>{' '}
      from last week
    </div>
  );
}
