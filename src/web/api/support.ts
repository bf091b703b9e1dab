import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { supportRoutes } from '#contract/support.ts';
import { unknownPathRoutes } from '#contract/unknown-paths.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';

/** What people asked, newest first. */
export const useSupportRequests = (status: 'open' | 'closed') =>
  usePagedList({
    queryKey: adminKey('support-requests', { status }),
    read: ({ cursor, signal }) =>
      call(supportRoutes.listSupportRequests, { query: { status, limit: 50, cursor: cursor || undefined }, signal }),
  });

/** What the person asked support, newest first. */
export const useOwnSupportRequests = () =>
  useQuery({
    queryKey: ['own-support-requests'],
    queryFn: async ({ signal }) => (await call(supportRoutes.listOwnSupportRequests, { signal })).data,
  });

const requestKey = (id: string) => adminKey('support-request', { id });

export const useSupportRequest = (id: string) =>
  useQuery({
    queryKey: requestKey(id),
    queryFn: ({ signal }) => call(supportRoutes.getSupportRequest, { params: { id }, signal }),
  });

type SupportAct = { to: 'answer'; message: string; closes: boolean } | { to: 'close' } | { to: 'reopen' };

/** Answers a request by mail, closes it or opens it again. */
export function useActOnSupportRequest(id: string) {
  const queryClient = useQueryClient();
  const params = { id };
  return useMutation({
    mutationFn: (act: SupportAct) => {
      if (act.to === 'close') return call(supportRoutes.closeSupportRequest, { params });
      if (act.to === 'reopen') return call(supportRoutes.reopenSupportRequest, { params });
      const { message, closes } = act;
      return call(supportRoutes.answerSupportRequest, { params, body: { message, closes } });
    },
    onSuccess: (request) => {
      queryClient.setQueryData(requestKey(id), request);
      void queryClient.invalidateQueries({ queryKey: adminKey('support-requests') });
    },
  });
}

/** Paths without a page, the latest first. */
export const useUnknownPaths = () =>
  useQuery({
    queryKey: adminKey('unknown-paths'),
    queryFn: async ({ signal }) => {
      const { data } = await call(unknownPathRoutes.listUnknownPaths, { signal });
      return data.map((unknown) => ({ ...unknown, id: unknown.path }));
    },
    refetchInterval: 30_000,
  });
