import { workspaceOfToken, workspaceToken } from '#platform/workspace-token.ts';

const prefix = 'cue_';

/**
 * A key is `cue_` and a token: the random beginning, which screens show, tells keys apart.
 * @param random 32 random bytes
 */
export const apiKeyOf = (workspaceId: string, random: Buffer): string =>
  `${prefix}${workspaceToken(workspaceId, random)}`;

/** The workspace id in a key, null where the text is no key. Only the database knows whether the key is valid. */
export const workspaceOfApiKey = (key: string): string | null =>
  key.startsWith(prefix) ? workspaceOfToken(key.slice(prefix.length)) : null;

export const prefixOfApiKey = (key: string) => key.slice(0, 12);
