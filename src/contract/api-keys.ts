import { z } from 'zod';
import { Id, IdParams, InstantInput, InstantText, Page, PageQuery, RequiredName } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** An API key has the permissions of its role, except on routes with `callers: 'people'`. */
export const apiKeyRoles = ['member', 'admin'] as const;
export type ApiKeyRole = (typeof apiKeyRoles)[number];

export const ApiKey = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  role: z.enum(apiKeyRoles),
  /** The first characters of the key, which identify it on screens. */
  prefix: z.string(),
  created_by: Id.nullable(),
  created_at: InstantText,
  expires_at: InstantText.nullable(),
  revoked_at: InstantText.nullable(),
  /** Rounded to the minute. */
  last_used_at: InstantText.nullable(),
});
export type ApiKey = z.output<typeof ApiKey>;

export const ApiKeyInput = z.strictObject({
  name: RequiredName(100, { missing: 'Name required' }),
  role: z.enum(apiKeyRoles).default('member'),
  /** A year from now when this is left out; null for a key that never expires. */
  expires_at: InstantInput.nullable().optional(),
});
export type ApiKeyInput = z.output<typeof ApiKeyInput>;

export const apiKeyRoutes = {
  listApiKeys: route({
    method: 'get',
    path: '/api/api-keys',
    access: 'admin',
    callers: 'people',
    summary: 'List API keys, newest first, with revoked ones',
    query: PageQuery,
    answer: Page(ApiKey),
  }),
  createApiKey: route({
    method: 'post',
    path: '/api/api-keys',
    access: 'admin',
    callers: 'people',
    summary: 'Create an API key; only this answer contains the key',
    body: ApiKeyInput,
    needsReauthentication: true,
    answer: ApiKey.extend({ key: z.string() }),
    status: 201,
    holdsSecret: true,
  }),
  revokeApiKey: route({
    method: 'delete',
    path: '/api/api-keys/:id',
    access: 'admin',
    callers: 'people',
    summary: 'Revoke an API key: its next request is refused',
    params: IdParams,
    needsReauthentication: true,
    answer: ApiKey,
  }),
};
