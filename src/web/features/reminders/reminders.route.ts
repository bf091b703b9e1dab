import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type ReminderStatus, reminderStatuses } from '#contract/reminders.ts';
import type { ReminderFilters } from '#web/api/reminders.ts';
import { signedInRoute } from '#web/app/routes.ts';
import { FormSearch } from './form/form-search.ts';

/** The list; its search text and status filter live in the address. */
export const remindersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reminders',
  validateSearch: ({ search, status }): ReminderFilters => ({
    // The router reads `?search=2026` as a number.
    search: typeof search === 'string' || typeof search === 'number' ? String(search) : undefined,
    status: isStatus(status) ? status : undefined,
  }),
  component: lazyRouteComponent(() => import('./RemindersScreen.tsx'), 'RemindersScreen'),
});

export const newReminderRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reminders/new',
  validateSearch: FormSearch,
  component: lazyRouteComponent(() => import('./form/ReminderFormScreen.tsx'), 'NewReminderScreen'),
});

export const editReminderRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reminders/$id/edit',
  validateSearch: FormSearch,
  component: lazyRouteComponent(() => import('./form/ReminderFormScreen.tsx'), 'EditReminderScreen'),
});

const isStatus = (value: unknown): value is ReminderStatus => reminderStatuses.some((status) => status === value);
