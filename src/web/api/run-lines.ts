import { deliveryRoutes } from '#contract/deliveries.ts';
import type { RecipientGroup } from '#contract/job-states.ts';
import { allOf, call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

const largestPage = 200;

/** Reads all lines of a group. A run has ten thousand people at most. */
export function useLoadDeliveries(jobId: string) {
  const workspaceId = useWorkspaceId();
  return (group: RecipientGroup) =>
    allOf((cursor) =>
      call(deliveryRoutes.listDeliveries, {
        params: { id: jobId },
        query: { group, cursor, limit: largestPage },
        workspaceId,
      }),
    );
}
