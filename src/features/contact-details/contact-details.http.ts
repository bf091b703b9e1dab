import type { contactDetailsRoutes } from '#contract/contact-details.ts';
import * as details from '#features/contact-details/contact-details.service.ts';
import { listUpcoming } from '#features/contact-details/upcoming.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const contactDetailsHandlers = (ports: { secrets: SecretBox }): HandlersOf<typeof contactDetailsRoutes> => ({
  getContact: ({ ctx, params }) => details.showContact(ctx, params.id, ports),
  listUpcomingOfContact: ({ ctx, params }) => listUpcoming(ctx, params.id, ports),
  listContactDeliveries: ({ ctx, params, query }) => details.listDeliveries(ctx, { id: params.id, ...query }),
});
