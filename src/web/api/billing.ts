import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { billingRoutes } from '#contract/billing.ts';
import { type PageAct, sandboxPaymentRoutes } from '#contract/sandbox-payments.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** The plan of a workspace and what it has used. */
export const useBilling = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'billing', 'plan'),
    queryFn: ({ signal }) => call(billingRoutes.getBilling, { workspaceId, signal }),
    meta: { watches: ['workspaces'] },
  });

/** The latest invoices; only owners see them. */
export const useInvoices = (workspaceId: string, { isOwner }: { isOwner: boolean }) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'billing', 'invoices'),
    queryFn: async ({ signal }) => (await call(billingRoutes.listInvoices, { workspaceId, signal })).data,
    enabled: isOwner,
    meta: { watches: ['workspaces'] },
  });

/** Has the server ask the payment provider, and fetches the workspaces again. */
export function useCheckSubscription() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (workspaceId: string) => call(billingRoutes.checkSubscription, { body: { workspaceId }, workspaceId }),
    onSuccess: async (billing, workspaceId) => {
      queryClient.setQueryData(keyOf(workspaceId, 'billing', 'plan'), billing);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'billing', 'invoices') }),
      ]);
    },
  });
}

export const createCheckout = async (body: { priceId: string; workspaceId: string }): Promise<string> =>
  (await call(billingRoutes.createCheckout, { body, workspaceId: body.workspaceId })).url;

export const openCustomerPortal = async (): Promise<string> => (await call(billingRoutes.openCustomerPortal, {})).url;

const pageKey = (id: string) => ['sandbox-payments', id];

/** A page of the sandbox's payment provider. */
export const usePaymentPage = (id: string) =>
  useQuery({
    queryKey: pageKey(id),
    queryFn: ({ signal }) => call(sandboxPaymentRoutes.getPaymentPage, { params: { id }, signal }),
  });

export function useActOnPaymentPage(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { act: PageAct; subscription?: string }) =>
      call(sandboxPaymentRoutes.actOnPaymentPage, { params: { id }, body }),
    onSuccess: (page) => queryClient.setQueryData(pageKey(id), page),
  });
}
