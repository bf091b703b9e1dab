import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { workspacesQuery } from '#web/api/workspaces.ts';
import { isOpenToAll } from '#web/app/open-screens.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';
import { rememberReturnPath, returnPath } from '#web/features/admin-setup/return-path.ts';
import { leadToAccountMail } from '#web/features/inbox/account-mail.ts';

/** The root has no design, so that a public page can load without it. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: lazyRouteComponent(() => import('#web/features/not-found/NotFoundScreen.tsx'), 'NotFoundScreen'),
});

/** All routes with Cuebird's design: theme, toasts, fonts. */
export const themedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'themed',
  beforeLoad: ({ location }) => leadToAccountMail(location),
  component: lazyRouteComponent(() => import('#web/app/Themed.tsx'), 'ThemedOutlet'),
});

/** Parent of every screen with top bar and footer: nearly all need a session, and redirect to /auth without one. */
export const signedInRoute = createRoute({
  getParentRoute: () => themedRoute,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location, preload }) => {
    if (!(await sessionOrNull(queryClient))) {
      if (isOpenToAll(location.pathname)) return;
      throw redirect({ to: '/auth' });
    }
    const back = preload ? null : returnPath();
    if (back) {
      rememberReturnPath(null);
      throw redirect({ href: back });
    }
    // Fetched while the screen's files load, because every screen waits for it.
    void queryClient.prefetchQuery({ ...workspacesQuery, staleTime: Infinity });
  },
  component: lazyRouteComponent(() => import('#web/app/SignedInLayout.tsx'), 'SignedInLayout'),
});

/** `/` is the landing page, a document of its own; a browser that has this one already asks the server for it. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: '/', reloadDocument: true });
  },
});
