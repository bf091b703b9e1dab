import { z } from 'zod';
import type { PubSub } from '#platform/pubsub.ts';

/** What ended or changed: a session, a membership, an API key, or a person's profile. */
const AccessChange = z.union([
  z.strictObject({ session: z.uuid() }),
  z.strictObject({ workspace: z.uuid(), user: z.uuid() }),
  z.strictObject({ api_key: z.uuid() }),
  z.strictObject({ person: z.uuid() }),
]);
export type AccessChange = z.output<typeof AccessChange>;

/**
 * Calls the listener when access ends in any process (database triggers announce it).
 * @param listener gets null where announcements may have been missed: the connection was lost and is back
 * @returns a function that stops listening
 */
export const subscribeToAccessChanges = (
  pubsub: Pick<PubSub, 'subscribe'>,
  listener: (change: AccessChange | null) => void,
): (() => void) =>
  pubsub.subscribe('cuebird_access', (payload) =>
    listener(payload === null ? null : AccessChange.parse(JSON.parse(payload))),
  );
