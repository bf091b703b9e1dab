import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import { signedInRoute, themedRoute } from '#web/app/routes.ts';

const InboxSearch = z.object({
  channel: z.enum(channelTypes).optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
});

const listRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/inbox',
  validateSearch: (search) => InboxSearch.parse(search),
  component: lazyRouteComponent(() => import('./InboxScreen.tsx'), 'InboxScreen'),
});

const noMessageRoute = createRoute({
  getParentRoute: () => listRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./NoMessage.tsx'), 'NoMessage'),
});

const messageRoute = createRoute({
  getParentRoute: () => listRoute,
  path: '$id',
  component: lazyRouteComponent(() => import('./MessageScreen.tsx'), 'MessageScreen'),
});

/** `/inbox` shows the list, `/inbox/:id` adds a message next to it. */
export const inboxRoute = listRoute.addChildren([noMessageRoute, messageRoute]);

/** Account mail for the holder of the terminal's link; needs no session. */
export const accountInboxRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/inbox/account',
  component: lazyRouteComponent(() => import('./AccountInboxScreen.tsx'), 'AccountInboxScreen'),
});
