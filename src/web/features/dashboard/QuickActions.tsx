import { Card, Title } from '@mantine/core';
import { IconBroadcast, IconChartBar, IconChevronRight, IconPlus, IconTemplate } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './QuickActions.module.css';

const actions = [
  { label: 'Create New Reminder', to: '/reminders/new', icon: IconPlus },
  { label: 'Browse Templates', to: '/templates', icon: IconTemplate },
  { label: 'Manage Channels', to: '/channels', icon: IconBroadcast },
  { label: 'View Analytics', to: '/jobs', icon: IconChartBar },
] as const;

export function QuickActions() {
  return (
    <Card padding={0} component="nav" aria-labelledby="quick-actions">
      <Title order={2} id="quick-actions" className={classes.title}>
        Quick Actions
      </Title>
      {actions.map(({ label, to, icon: Icon }) => (
        <Link key={to} to={to} className={classes.action}>
          <Icon size={18} stroke={1.6} aria-hidden />
          <span className={classes.label}>{label}</span>
          <IconChevronRight size={16} aria-hidden />
        </Link>
      ))}
    </Card>
  );
}
