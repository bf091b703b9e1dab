import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Subscription, unsubscribeRoutes } from '#contract/unsubscribe.ts';
import { call } from '#web/api/client.ts';

/** The same URL serves the page to browsers and JSON to clients that ask for it. */
const lookUpRoute = { ...unsubscribeRoutes.getSubscription, answer: Subscription };

/** The subscription that an unsubscribe link names. */
export const subscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: ['subscription', token],
    queryFn: ({ signal }) => call(lookUpRoute, { params: { token }, signal }),
  });

/** Unsubscribes, or undoes the named unsubscription. */
export function useChangeSubscription(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (undo: string | null) =>
      undo === null
        ? call(unsubscribeRoutes.unsubscribe, { params: { token } })
        : call(unsubscribeRoutes.resubscribe, { params: { token }, query: { undo } }),
    onSuccess: (subscription) => client.setQueryData(subscriptionQuery(token).queryKey, subscription),
  });
}
