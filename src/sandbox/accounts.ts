import { createHmac } from 'node:crypto';
import { isSameSecret } from '#platform/same-secret.ts';

/**
 * A workspace's accounts in the sandbox. Each account is named after its workspace and each secret is an HMAC of it, so
 * that the sandbox can map requests to workspaces without a list.
 */
export type Accounts = {
  /** A secret of `length` hexadecimal digits (64 at most) for one purpose of a workspace. */
  secretOf(purpose: string, workspaceId: string, length?: number): string;
  /** Whether this is the secret of 32 digits; in constant time. */
  isSecret(purpose: string, workspaceId: string, given: string): boolean;
  /** A token that names its workspace: 32 digits of the workspace, then 32 of its secret. */
  tokenOf(purpose: string, workspaceId: string): string;
  /** The workspace of a token; null when the token is not valid. */
  openToken(purpose: string, token: string): string | null;
  /** A number with as many digits as a provider's numeric id. */
  digitsOf(purpose: string, workspaceId: string, length: number): string;
};

export function createAccounts(secret: string | Buffer): Accounts {
  const macOf = (purpose: string, workspaceId: string) =>
    createHmac('sha256', secret).update(`${purpose} ${workspaceId}`).digest();
  const secretOf = (purpose: string, workspaceId: string, length = 32) =>
    macOf(purpose, workspaceId).toString('hex').slice(0, length);
  const isSecret = (purpose: string, workspaceId: string, given: string) =>
    isSameSecret(secretOf(purpose, workspaceId), given);
  return {
    secretOf,
    isSecret,
    tokenOf: (purpose, workspaceId) => `${accountOf(workspaceId)}${secretOf(purpose, workspaceId)}`,
    openToken(purpose, token) {
      const workspaceId = workspaceOf(token.slice(0, 32));
      return workspaceId !== null && isSecret(purpose, workspaceId, token.slice(32)) ? workspaceId : null;
    },
    digitsOf: (purpose, workspaceId, length) =>
      (BigInt(`0x${macOf(purpose, workspaceId).toString('hex')}`) % 10n ** BigInt(length))
        .toString()
        .padStart(length, '1'),
  };
}

/** A workspace as 32 hexadecimal digits, the format of many providers' account ids. */
export const accountOf = (workspaceId: string): string => workspaceId.replaceAll('-', '').toLowerCase();

/** The workspace of such an account; null for any other text. */
export function workspaceOf(account: string): string | null {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(account.toLowerCase());
  return parts === null ? null : parts.slice(1).join('-');
}
