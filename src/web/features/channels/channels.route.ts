import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';

/** The list's filters in the URL: `?search=…&type=sms`; `&open=new` opens the form. */
export type ChannelSearch = { search?: string; type?: string; open?: 'new' };

export const channelsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/channels',
  validateSearch: ({ search, type, open }): ChannelSearch => ({
    search: textOf(search),
    type: textOf(type),
    open: open === 'new' ? open : undefined,
  }),
  component: lazyRouteComponent(() => import('./ChannelsScreen.tsx'), 'ChannelsScreen'),
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
