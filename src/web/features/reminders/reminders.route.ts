import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { readAhead } from '#web/api/workspaces.ts';
import { pageSizes, rememberedView, RemindersSearch } from './reminders-search.ts';
import { FormSearch } from './form/form-search.ts';

/** The list; its state is in the URL. */
export const remindersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reminders',
  validateSearch: (search) => RemindersSearch.parse(search),
  loader: ({ context: { queryClient }, location, cause }) => {
    if (cause !== 'enter') return;
    const { search, status, sort, view = rememberedView() } = RemindersSearch.parse(location.search);
    const reads = import('#web/api/reminder-list.ts');
    void readAhead(queryClient, async (workspaceId) => {
      const { prefetchReminders } = await reads;
      await prefetchReminders(queryClient, { search, status, sort, workspaceId, pageSize: pageSizes[view ?? 'cards'] });
    });
  },
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
