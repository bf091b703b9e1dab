import { z } from 'zod';
import type { Change } from '#contract/realtime.ts';
import type { PubSub } from '#platform/pubsub.ts';

const Announcement = z.object({ workspace: z.uuid(), tables: z.array(z.string()) });

/** Called with the lines of an event stream that tell of a change. */
type Listener = (lines: readonly string[]) => void;

export type WorkspaceChanges = {
  /** Returns a function that stops listening. */
  subscribe(workspaceId: string, listener: Listener): () => void;
};

export const resync = 'event: resync\ndata: {}\n\n';

/** Tells of changes by workspace: each announcement is read once, for the streams of its workspace alone. Listens for the life of the process. */
export function createWorkspaceChanges(pubsub: Pick<PubSub, 'subscribe'>): WorkspaceChanges {
  const listenersOf = new Map<string, Set<Listener>>();
  pubsub.subscribe('cuebird_changes', (payload) => {
    if (payload === null) {
      for (const listeners of listenersOf.values()) for (const listener of listeners) listener([resync]);
      return;
    }
    const { workspace, tables } = Announcement.parse(JSON.parse(payload));
    const listeners = listenersOf.get(workspace);
    if (listeners === undefined) return;
    const lines = tables.map((table) => `data: ${JSON.stringify({ table } satisfies { table: string } | Change)}\n\n`);
    for (const listener of listeners) listener(lines);
  });
  return {
    subscribe(workspaceId, listener) {
      const listeners = listenersOf.get(workspaceId) ?? new Set();
      listenersOf.set(workspaceId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) listenersOf.delete(workspaceId);
      };
    },
  };
}
