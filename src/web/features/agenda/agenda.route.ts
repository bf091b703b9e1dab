import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';

/** Its search is parsed with the screen: what only one screen reads is no part of the first load. */
export const agendaRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/agenda',
  component: lazyRouteComponent(() => import('./AgendaScreen.tsx'), 'AgendaScreen'),
});
