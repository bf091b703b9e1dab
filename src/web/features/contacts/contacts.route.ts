import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { ContactPageSearch, ContactsSearch } from './contacts-search.ts';

export const contactsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/contacts',
  validateSearch: (search) => ContactsSearch.parse(search),
  component: lazyRouteComponent(() => import('./ContactsScreen.tsx'), 'ContactsScreen'),
});

/** One contact: what it got, and what comes next. */
export const contactRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/contacts/$id',
  validateSearch: (search) => ContactPageSearch.parse(search),
  component: lazyRouteComponent(() => import('./page/ContactScreen.tsx'), 'ContactScreen'),
});
