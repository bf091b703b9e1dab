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

/** What the person asks for: to leave a topic or all optional ones, to end a report, or to undo the named entry. */
export type UnsubscribeAct = { leave: 'topic' | 'optional' | 'report' } | { undo: string };

/** Unsubscribes, or undoes the named unsubscription. */
export function useUnsubscribeChange(token: string) {
  const client = useQueryClient();
  const params = { token };
  return useMutation({
    mutationFn: (act: UnsubscribeAct) =>
      'undo' in act
        ? call(unsubscribeRoutes.resubscribe, { params, query: { undo: act.undo } })
        : call(unsubscribeRoutes.unsubscribe, { params, query: act.leave === 'report' ? {} : { covers: act.leave } }),
    onSuccess: (link) => client.setQueryData(unsubscribeLinkQuery(token).queryKey, link),
  });
}
