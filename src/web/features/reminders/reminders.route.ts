import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { RemindersSearch } from './reminders-search.ts';
import { FormSearch } from './form/form-search.ts';

/** The list; its state is in the URL. */
export const remindersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reminders',
  validateSearch: (search) => RemindersSearch.parse(search),
  component: lazyRouteComponent(() => import('./RemindersScreen.tsx'), 'RemindersScreen'),
});

/** One reminder: its runs, and when it is sent next. */
export const reminderRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reminders/$id',
  component: lazyRouteComponent(() => import('./page/ReminderScreen.tsx'), 'ReminderScreen'),
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
