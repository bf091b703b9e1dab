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
