import { z } from 'zod';
import { Id, ifMissing, InstantInput, InstantText, Page, PageQuery, RequiredName } from '#contract/common.ts';
import { del, get, post } from '#contract/route.ts';
import { scopes } from '#contract/scopes.ts';

/** How long an API key works unless another end is chosen. */
export const usualKeyLife = { hours: 365 * 24 } as const;

/** For how many hours a replaced key goes on working, at most. */
export const maxOverlapHours = 7 * 24;

export const ApiKey = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** True for a key from before scopes existed, made by a member: it may manage only what members may. */
  excludes_admin: z.boolean(),
  /** The first characters of the key, which identify it on screens. */
  prefix: z.string(),
  created_by: Id.nullable(),
  /** The member whose key it is; it ends with their right to create keys. Null only for a revoked key. */
  owned_by: Id.nullable(),
  created_at: InstantText,
  expires_at: InstantText.nullable(),
  revoked_at: InstantText.nullable(),
  /** Rounded to the minute. */
  last_used_at: InstantText.nullable(),
});
export type ApiKey = z.output<typeof ApiKey>;

const scopeRequired = 'Choose what the key may do';

/** When the key expires: a year from now when left out, null for never. */
const Expiry = InstantInput.nullable().optional();

export const ApiKeyInput = z.strictObject({
  name: RequiredName(100, { missing: 'Name required' }),
  scopes: z
    .array(z.enum(scopes), ifMissing(scopeRequired))
    .min(1, scopeRequired)
    .overwrite((chosen) => scopes.filter((scope) => chosen.includes(scope))),
  expires_at: Expiry,
});
export type ApiKeyInput = z.output<typeof ApiKeyInput>;

/** A new key in the place of one, which goes on working for some hours. */
export const ApiKeyRotation = z.strictObject({
  overlap_hours: z.number().int().min(0).max(maxOverlapHours).default(24),
  expires_at: Expiry,
});
export type ApiKeyRotation = z.output<typeof ApiKeyRotation>;

/** An answer that contains the key: it is not shown again. */
const NewApiKey = ApiKey.extend({ key: z.string() });
export type NewApiKey = z.output<typeof NewApiKey>;

/** How many requests of the current hour are used. The hour begins with its first request. */
export const RequestUse = z.object({
  used: z.number().int(),
  /** Null where the installation or the plan has no limit. */
  limit: z.number().int().nullable(),
  /** When the count begins anew; null before the first request. */
  resets_at: InstantText.nullable(),
});
export type RequestUse = z.output<typeof RequestUse>;

export const apiKeyRoutes = {
  listApiKeys: get('/api/api-keys', {
    access: 'admin',
    callers: 'people',
    summary: 'List API keys, newest first, with revoked ones',
    query: PageQuery,
    answer: Page(ApiKey),
  }),
  createApiKey: post('/api/api-keys', {
    access: 'admin',
    callers: 'people',
    summary: 'Create an API key; only this answer contains the key',
    body: ApiKeyInput,
    needsReauthentication: true,
    answer: NewApiKey,
    status: 201,
    holdsSecret: true,
  }),
  rotateApiKey: post('/api/api-keys/:id/rotate', {
    access: 'admin',
    callers: 'people',
    summary: 'Replace an API key by a new one with the same scopes; the old one goes on working for some hours',
    body: ApiKeyRotation,
    needsReauthentication: true,
    answer: NewApiKey,
    status: 201,
    holdsSecret: true,
  }),
  getRequestUse: get('/api/api-keys/requests', {
    access: 'admin',
    callers: 'people',
    summary: 'How many requests the API keys of the workspace have sent in this hour, of how many',
    answer: RequestUse,
  }),
  revokeApiKey: del('/api/api-keys/:id', {
    access: 'admin',
    callers: 'people',
    summary: 'Revoke an API key: its next request is refused',
    needsReauthentication: true,
    answer: ApiKey,
  }),
};
