import {
  IconBell,
  IconBroadcast,
  IconClockPlay,
  IconCode,
  IconCreditCard,
  type IconProps,
  IconInbox,
  IconLayoutDashboard,
  IconShieldLock,
  IconTemplate,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { configQuery } from '#web/api/config.ts';

export type NavigationLink = { label: string; to: string; icon: ComponentType<IconProps>; needs?: 'sandbox' };

const links: readonly NavigationLink[] = [
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
];

/** The links of the top bar whose screen exists and is useful in this installation. */
export function useNavigationLinks(): NavigationLink[] {
  const hasRoute = useHasRoute();
  const config = useQuery(configQuery).data;
  return links.filter(({ to, needs }) => hasRoute(to) && (!needs || config?.[needs] === true));
}

/** Returns a check whether a route exists at a path, so that no link leads to a 404. */
export function useHasRoute(): (path: string) => boolean {
  const { routesByPath } = useRouter();
  return (path) => path in routesByPath;
}
