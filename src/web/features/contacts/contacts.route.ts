import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { ContactsSearch } from './contacts-search.ts';

export const contactsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/contacts',
  validateSearch: (search) => ContactsSearch.parse(search),
  component: lazyRouteComponent(() => import('./ContactsScreen.tsx'), 'ContactsScreen'),
});
