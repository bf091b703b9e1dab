import { z } from 'zod';
import { Id, InstantText, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** A person, as administrators of the installation see them. */
export const KnownPerson = z.object({
  id: Id,
  email: z.string(),
  full_name: z.string(),
  is_system_admin: z.boolean(),
  /** Null for everybody who may sign in. */
  suspended_at: InstantText.nullable(),
  /** Keys of workspaces that this person has made and that still work. A suspension does not revoke them. */
  api_keys: z.number().int(),
});
export type KnownPerson = z.output<typeof KnownPerson>;

export const suspensionRoutes = {
  findPerson: route({
    method: 'get',
    path: '/api/admin/people',
    access: 'system_admin',
    summary: 'The person with this address',
    query: z.strictObject({ email: Text(320) }),
    answer: KnownPerson,
  }),
  suspendPerson: route({
    method: 'put',
    path: '/api/admin/people/:id/suspension',
    access: 'system_admin',
    summary: 'Sign a person out everywhere, and refuse every sign-in until this is lifted',
    params: z.strictObject({ id: Id }),
    answer: KnownPerson,
  }),
  liftSuspension: route({
    method: 'delete',
    path: '/api/admin/people/:id/suspension',
    access: 'system_admin',
    summary: 'Let a suspended person sign in again',
    params: z.strictObject({ id: Id }),
    answer: KnownPerson,
  }),
};
