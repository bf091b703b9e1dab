import { z } from 'zod';
import { Id, IdParams, InstantInput, InstantText, Page, PageQuery, RequiredText } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** What a key may do: what a person of this role may, on the routes that are not for people alone. */
export const apiKeyRoles = ['member', 'admin'] as const;
export type ApiKeyRole = (typeof apiKeyRoles)[number];

export const ApiKey = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  role: z.enum(apiKeyRoles),
  /** How the key begins, to recognise it by. */
  prefix: z.string(),
  created_by: Id.nullable(),
  created_at: InstantText,
  expires_at: InstantText.nullable(),
  revoked_at: InstantText.nullable(),
  /** To the minute. */
  last_used_at: InstantText.nullable(),
});
export type ApiKey = z.output<typeof ApiKey>;

export const ApiKeyInput = z.strictObject({
  name: RequiredText(100, { missing: 'Name required' }),
  role: z.enum(apiKeyRoles).default('member'),
  /** Never, when left out. */
  expires_at: InstantInput.nullable().default(null),
});
export type ApiKeyInput = z.output<typeof ApiKeyInput>;

export const apiKeyRoutes = {
  listApiKeys: route({
    method: 'get',
    path: '/api/api-keys',
    access: 'admin',
    callers: 'people',
    summary: 'The API keys of the workspace, newest first; revoked ones too',
    query: PageQuery,
    answer: Page(ApiKey),
  }),
  createApiKey: route({
    method: 'post',
    path: '/api/api-keys',
    access: 'admin',
    callers: 'people',
    summary: 'Make an API key; the key itself is shown this once',
    body: ApiKeyInput,
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
    answer: ApiKey,
  }),
};
