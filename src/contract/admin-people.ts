import { z } from 'zod';
import { Id, IdParams, InstantText, Page, PageQuery, Text } from '#contract/common.ts';
import { del, get, put } from '#contract/route.ts';
import { roles } from '#contract/workspaces.ts';

/** A person, as administrators of the installation see them. */
export const AdminPerson = z.object({
  id: Id,
  email: z.string(),
  full_name: z.string(),
  is_system_admin: z.boolean(),
  is_demo: z.boolean(),
  email_verified: z.boolean(),
  has_two_factor: z.boolean(),
  /** Since when the person may not sign in; null for everybody who may. */
  suspended_at: InstantText.nullable(),
  created_at: InstantText,
  /** Browsers that are signed in. */
  sessions: z.number().int(),
  /** When one of these browsers was last used, exact to about an hour; null without any. */
  last_seen_at: InstantText.nullable(),
  /** Keys of this person, in all workspaces, that work. A suspension ends them. */
  api_keys: z.number().int(),
  /** The latest 20 workspaces that the person joined, with their role. */
  memberships: z.array(z.object({ workspace_id: Id, workspace: z.string(), role: z.enum(roles) })),
  membership_count: z.number().int(),
});
export type AdminPerson = z.output<typeof AdminPerson>;

/** `true` includes visitors' demos, `only` lists nothing else. */
const demosFilters = ['true', 'false', 'only'] as const;
export const Demos = z.enum(demosFilters, 'must be true, false or only').default('false');
export type Demos = z.output<typeof Demos>;

const act = { access: 'system_admin', params: z.strictObject(IdParams.shape), answer: AdminPerson } as const;

export const adminPeopleRoutes = {
  listPeople: get('/api/admin/people', {
    access: 'system_admin',
    summary: "Everybody with an account, newest first, visitors' demos left out; the search is in name and address",
    query: PageQuery.extend({ search: Text(200).optional(), demos: Demos }),
    answer: Page(AdminPerson),
  }),
  suspendPerson: put('/api/admin/people/:id/suspension', {
    ...act,
    summary: 'Sign a person out everywhere, and refuse every sign-in until this is lifted',
  }),
  liftSuspension: del('/api/admin/people/:id/suspension', {
    ...act,
    summary: 'Let a suspended person sign in again',
  }),
  verifyPerson: put('/api/admin/people/:id/verification', {
    ...act,
    summary: 'Confirm the address of a person who cannot do so',
    // Confirming an address that ADMIN_EMAILS names makes its person an administrator.
    needsReauthentication: true,
  }),
  signOutPerson: del('/api/admin/people/:id/sessions', {
    ...act,
    summary: 'Sign a person out everywhere; links that were mailed to them no longer work',
  }),
  makeAdministrator: put('/api/admin/people/:id/administration', {
    ...act,
    summary: 'Make a person an administrator of the installation',
    needsReauthentication: true,
  }),
  removeAdministrator: del('/api/admin/people/:id/administration', {
    ...act,
    summary: 'Take the administration from another person, so that there is always an administrator',
    needsReauthentication: true,
  }),
};
