import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { homeRoute, rootRoute, signedInRoute, themedRoute } from '#web/app/routes.ts';
import { authRoute } from '#web/features/auth/auth.route.ts';
import { dashboardRoute } from '#web/features/dashboard/dashboard.route.ts';

const routeTree = rootRoute.addChildren([
  homeRoute,
  themedRoute.addChildren([authRoute, signedInRoute.addChildren([dashboardRoute])]),
]);

/** The route tree: each feature declares its routes in `<noun>.route.ts`, with lazy screens. */
export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
