import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { pushRoutes } from '#contract/push.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf } from '#web/api/query-key.ts';
import { askPermission, ownEndpoint, subscribeBrowser } from '#web/api/this-browser.ts';

/** The person's subscribed browsers, which of them is this one, and how many there are in the workspace. */
export function usePushBrowsers() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'push-browsers'),
    queryFn: async ({ signal }) => {
      const [listed, here] = await Promise.all([
        call(pushRoutes.listPushBrowsers, { workspaceId, signal }),
        ownEndpoint(),
      ]);
      return { ...listed, here: listed.data.find(({ endpoint }) => endpoint === here)?.endpoint ?? null };
    },
  });
}

/** Subscribes this browser, once the person allows it. Rejects with PushRefused where they or the browser do not. */
export function useAddPushBrowser() {
  const workspaceId = useWorkspaceId();
  return usePushMutation(async (_: void) => {
    await askPermission();
    const { public_key: key } = await call(pushRoutes.getPushKey, { workspaceId });
    await call(pushRoutes.addPushBrowser, { workspaceId, body: await subscribeBrowser(key) });
  });
}

/** Removes one of the person's browsers. */
export function useRemovePushBrowser() {
  const workspaceId = useWorkspaceId();
  return usePushMutation((endpoint: string) => call(pushRoutes.removePushBrowser, { workspaceId, body: { endpoint } }));
}

export function useTestPush() {
  const workspaceId = useWorkspaceId();
  return usePushMutation((endpoint: string) => call(pushRoutes.testPush, { workspaceId, body: { endpoint } }));
}

function usePushMutation<Given, Result>(mutationFn: (given: Given) => Promise<Result>) {
  const queryClient = useQueryClient();
  const queryKey = keyOf(useWorkspaceId(), 'push-browsers');
  return useMutation({ mutationFn, onSettled: () => queryClient.invalidateQueries({ queryKey }) });
}
