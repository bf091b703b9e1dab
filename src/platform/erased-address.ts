import { createHash, randomBytes } from 'node:crypto';
import type { SecretBox } from '#platform/secrets.ts';

type Of = { workspaceId: string; secrets: SecretBox };

export const erasureSecretContext = (workspaceId: string) => ({ workspaceId, purpose: 'the key of erased addresses' });

/** The key of a workspace's hashes, sealed. */
export const newErasureSecret = ({ workspaceId, secrets }: Of) =>
  secrets.seal(randomBytes(32).toString('base64'), erasureSecretContext(workspaceId));

export const openErasureSecret = (sealed: string, { workspaceId, secrets }: Of) =>
  secrets.open(sealed, erasureSecretContext(workspaceId));

/** What stands in place of an erased address: the same for the same address of a workspace, and no way back without the secret. */
export const erasedKeyOf =
  (secret: string) =>
  (key: string): string =>
    `#${createHash('sha256').update(`${secret} ${key}`).digest('base64url')}`;
