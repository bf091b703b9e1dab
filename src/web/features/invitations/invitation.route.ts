import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { themedRoute } from '#web/app/routes.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';
import { rememberReturnPath } from '#web/features/admin-setup/return-path.ts';

/** The link of an invitation; whoever signs in or signs up from here returns to it. */
export const invitationRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/invitation/$token',
  beforeLoad: async ({ context: { queryClient }, preload }) => {
    if ((await sessionOrNull(queryClient)) !== null && !preload) rememberReturnPath(null);
  },
  component: lazyRouteComponent(() => import('./InvitationScreen.tsx'), 'InvitationScreen'),
});
