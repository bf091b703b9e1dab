import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { UnsubscribeLink, unsubscribeRoutes } from '#contract/unsubscribe.ts';
import { call } from '#web/api/client.ts';

/** The same URL serves the page to browsers and JSON to clients that ask for it. */
const lookUpRoute = { ...unsubscribeRoutes.readUnsubscribeLink, answer: UnsubscribeLink };

/** What an unsubscribe link stops, and whether it has. */
export const unsubscribeLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['unsubscribe-link', token],
    queryFn: ({ signal }) => call(lookUpRoute, { params: { token }, signal }),
  });

/** Unsubscribes, or undoes the named unsubscription. */
export function useUnsubscribeChange(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (undo: string | null) =>
      undo === null
        ? call(unsubscribeRoutes.unsubscribe, { params: { token } })
        : call(unsubscribeRoutes.resubscribe, { params: { token }, query: { undo } }),
    onSuccess: (link) => client.setQueryData(unsubscribeLinkQuery(token).queryKey, link),
  });
}
