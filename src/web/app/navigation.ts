import {
  IconBell,
  IconBroadcast,
  IconClockPlay,
  IconCode,
  IconCreditCard,
  IconInbox,
  IconLayoutDashboard,
  IconShieldLock,
  IconTemplate,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '#web/api/config.ts';

const links = [
  { label: 'Dashboard', to: '/dashboard', icon: IconLayoutDashboard },
  { label: 'Reminders', to: '/reminders', icon: IconBell },
  { label: 'Contacts', to: '/contacts', icon: IconUsers },
  { label: 'Billing', to: '/billing', icon: IconCreditCard },
  { label: 'Templates', to: '/templates', icon: IconTemplate },
  { label: 'Channels', to: '/channels', icon: IconBroadcast },
  { label: 'Jobs', to: '/jobs', icon: IconClockPlay },
  { label: 'Inbox', to: '/inbox', icon: IconInbox, needs: 'sandbox' },
  { label: 'API Docs', to: '/api-docs', icon: IconCode },
  { label: 'Admin', to: '/admin', icon: IconShieldLock },
] as const;

export type NavigationLink = (typeof links)[number];

/** The links of the top bar whose screen is useful in this installation. */
export function useNavigationLinks(): NavigationLink[] {
  const config = useQuery(configQuery).data;
  return links.filter((link) => !('needs' in link) || config?.[link.needs] === true);
}
