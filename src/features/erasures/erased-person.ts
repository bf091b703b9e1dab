import { z } from 'zod';
import type { SecretBox } from '#platform/secrets.ts';

/** Who is erased. Sealed while the erasure is under way. */
export type ErasedPerson = {
  /** As the suppression list has them: addresses in lower case, numbers in E.164. */
  keys: readonly string[];
  /** The contacts that had them. */
  contacts: readonly string[];
  /** What contacts and recipients with them were called. */
  names: readonly string[];
};

type Of = { workspaceId: string; secrets: SecretBox };

export const erasedPersonContext = (workspaceId: string) => ({ workspaceId, purpose: 'a person who is erased' });

export const sealPerson = (person: ErasedPerson, { workspaceId, secrets }: Of) =>
  secrets.seal(JSON.stringify(person), erasedPersonContext(workspaceId));

export const openPerson = (sealed: string, { workspaceId, secrets }: Of): ErasedPerson =>
  Sealed.parse(JSON.parse(secrets.open(sealed, erasedPersonContext(workspaceId))));

/** An erasure that was begun by an earlier version has no names. */
const Sealed = z.object({
  keys: z.array(z.string()),
  contacts: z.array(z.string()),
  names: z.array(z.string()).default([]),
});
