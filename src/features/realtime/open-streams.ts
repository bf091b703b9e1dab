import { accessEnded, streamChanges } from '#features/realtime/changes-stream.ts';
import { type AccessChange, subscribeToAccessChanges } from '#platform/access-changes.ts';
import { RateLimited } from '#platform/errors.ts';
import type { PubSub } from '#platform/pubsub.ts';
import { createWorkspaceChanges } from './workspace-changes.ts';

/** The reader of a stream: a person's session, or an API key. */
export type Reader = { userId: string; sessionId: string } | { apiKeyId: string };

export type OpenStreams = {
  /**
   * Opens a stream. Throws RateLimited where the reader has too many: closing the oldest would only make it reconnect.
   */
  open(stream: { workspaceId: string; reader: Reader; signal: AbortSignal }): Response;
  count(): number;
  /** Ends the streams of a reader whose access ended while they were being opened. */
  end(reader: Reader): void;
  /** Ends all streams: readers reconnect, and are authorized again. */
  endAll(): void;
};

type Entry = { workspaceId: string; reader: Reader; ending: AbortController };

const maxOfReader = 20;

/** The open streams of this process. Each ends as soon as the access behind it ends, in any process. */
export function createOpenStreams(pubsub: Pick<PubSub, 'subscribe'>): OpenStreams {
  const entries = new Set<Entry>();
  const changes = createWorkspaceChanges(pubsub);

  const endWhere = (isConcerned: (entry: Entry) => boolean, reason?: Error) => {
    for (const entry of [...entries].filter(isConcerned)) entry.ending.abort(reason);
  };

  // Listens for the life of the process. After missed announcements every stream ends, and readers are authorized
  // again.
  subscribeToAccessChanges(pubsub, (change) => {
    if (change === null) endWhere(() => true);
    else endWhere((entry) => hasLost(entry, change), accessEnded);
  });

  return {
    open({ workspaceId, reader, signal }) {
      const name = nameOf(reader);
      const open = [...entries].filter((entry) => nameOf(entry.reader) === name).length;
      if (open >= maxOfReader)
        throw new RateLimited(`${maxOfReader} streams are open already. Close one of them.`, {
          retryAfterSeconds: 60,
        });
      const entry = { workspaceId, reader, ending: new AbortController() };
      entries.add(entry);
      return streamChanges(changes, {
        workspaceId,
        signal: AbortSignal.any([signal, entry.ending.signal]),
        onEnd: () => entries.delete(entry),
      });
    },
    count: () => entries.size,
    end: (reader) => endWhere((entry) => entry.reader === reader),
    endAll: () => endWhere(() => true, accessEnded),
  };
}

/** The key of a reader for the limit: all sessions of a person count together. */
const nameOf = (reader: Reader) => ('userId' in reader ? reader.userId : reader.apiKeyId);

function hasLost({ workspaceId, reader }: Entry, change: AccessChange): boolean {
  if ('session' in change) return 'sessionId' in reader && reader.sessionId === change.session;
  if ('workspace' in change)
    return 'userId' in reader && reader.userId === change.user && workspaceId === change.workspace;
  if ('api_key' in change) return 'apiKeyId' in reader && reader.apiKeyId === change.api_key;
  return false;
}
