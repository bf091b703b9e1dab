import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Subscription, unsubscribeRoutes } from '#contract/unsubscribe.ts';
import { call } from '#web/api/client.ts';

/** Programs that ask for JSON get it where a person's browser is led to the page. */
const lookUpRoute = { ...unsubscribeRoutes.getSubscription, answer: Subscription };

/** What a link to unsubscribe is about. */
export const subscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: ['subscription', token],
    queryFn: ({ signal }) => call(lookUpRoute, { params: { token }, signal }),
  });

/** Ends, or begins again, what the link is about. */
export function useChangeSubscription(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (wish: 'unsubscribe' | 'resubscribe') => call(unsubscribeRoutes[wish], { params: { token } }),
    onSuccess: (subscription) => client.setQueryData(subscriptionQuery(token).queryKey, subscription),
  });
}
