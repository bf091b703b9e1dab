import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { themedRoute } from '#web/app/routes.ts';

/** What is stored about people, why, and for how long. */
export const privacyRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/privacy',
  component: lazyRouteComponent(() => import('./PrivacyScreen.tsx'), 'PrivacyScreen'),
});

/** On what terms the service is used. */
export const termsRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/terms',
  component: lazyRouteComponent(() => import('./TermsScreen.tsx'), 'TermsScreen'),
});
