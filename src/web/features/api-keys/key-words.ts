import type { ApiKey } from '#contract/api-keys.ts';
import type { Scope } from '#contract/scopes.ts';
import { dayMs } from '#domain/instants.ts';

export const scopeWords: Record<Scope, { name: string; text: string }> = {
  send: { name: 'Send', text: 'Sends messages, reports events, and follows what it has sent.' },
  read: { name: 'Read', text: 'Reads everything in the workspace, contacts included.' },
  manage: { name: 'Manage', text: 'Creates, changes and deletes reminders, templates, contacts and channels.' },
};

export type KeyState = 'works' | 'ends soon' | 'expired' | 'revoked';

const soonMs = 7 * dayMs;

/** What a key is at `now`, in epoch milliseconds. */
export function keyState(
  { revoked_at: revoked, expires_at: end }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: number,
): KeyState {
  if (revoked !== null) return 'revoked';
  if (end === null) return 'works';
  const leftMs = Date.parse(end) - now;
  if (leftMs <= 0) return 'expired';
  return leftMs < soonMs ? 'ends soon' : 'works';
}
