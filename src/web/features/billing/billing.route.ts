import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { signedInRoute, themedRoute } from '#web/app/routes.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';

/** The plan of the current workspace. */
export const billingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/billing',
  component: lazyRouteComponent(() => import('./BillingScreen.tsx'), 'BillingScreen'),
});

/** A page of the payment provider in the sandbox, for the customer whom it is for. */
export const sandboxPaymentRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/sandbox-payments/$id',
  beforeLoad: async ({ context: { queryClient } }) => {
    if (!(await sessionOrNull(queryClient))) throw redirect({ to: '/auth' });
  },
  component: lazyRouteComponent(() => import('./PaymentScreen.tsx'), 'PaymentScreen'),
});
