import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { signedInRoute } from '#web/app/routes.ts';

/** The channel over which somebody agreed. */
const ConsentProofSearch = z.object({ channel: z.enum(['sms', 'whatsapp', 'email']).optional().catch(undefined) });

/** The printable proof of what a contact agreed to. */
export const consentProofRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/contacts/$id/consents',
  validateSearch: (search) => ConsentProofSearch.parse(search),
  component: lazyRouteComponent(() => import('./ConsentProofScreen.tsx'), 'ConsentProofScreen'),
});
