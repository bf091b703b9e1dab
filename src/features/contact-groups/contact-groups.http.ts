import type { contactGroupRoutes } from '#contract/contact-groups.ts';
import { describePeople, pickedContacts } from '#features/contact-groups/audience.service.ts';
import * as groups from '#features/contact-groups/contact-groups.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const contactGroupHandlers: HandlersOf<typeof contactGroupRoutes> = {
  listContactGroups: async ({ ctx }) => ({ data: await groups.listGroups(ctx), next_cursor: null }),
  countContactGroups: async ({ ctx }) => ({ data: await groups.countGroups(ctx) }),
  createContactGroup: ({ ctx, body }) => groups.createGroup(ctx, body),
  updateContactGroup: ({ ctx, params, body }) => groups.updateGroup(ctx, { id: params.id, input: body }),
  deleteContactGroup: ({ ctx, params }) => groups.deleteGroup(ctx, params.id),
  listGroupUses: ({ ctx, params }) => groups.listUses(ctx, params.id),
  countPeople: async ({ ctx, body }) => ({
    ...(await describePeople(ctx, body)),
    contacts: await pickedContacts(ctx, body.audience),
  }),
};
