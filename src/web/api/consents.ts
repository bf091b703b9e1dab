import { skipToken, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { consentRoutes } from '#contract/consents.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { useKey } from '#web/api/query-key.ts';

/** What a contact said about being written to, newest first, page by page. */
export const useConsentsOfContact = (id: string) =>
  usePagedList({
    queryKey: useKey('consents', 'of-contact', id),
    read: ({ cursor, signal }) =>
      call(consentRoutes.listContactConsents, { params: { id }, query: { limit: 10, cursor }, signal }),
    watches: ['consents', 'contacts', 'topics'],
    keepsRows: true,
  });

/** How many numbers of contacts have agreed to each channel. */
export const useConsentCounts = () => {
  const queryKey = useKey('consents', 'counts');
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(consentRoutes.countConsents, { signal })).data,
  });
};

/** What proves the consent of an address or number; nothing is asked for null. */
export const useConsentProof = (of: z.input<typeof consentRoutes.getConsentProof.query> | null) => {
  const queryKey = useKey('consents', 'proof', of);
  return useQuery({
    queryKey,
    queryFn: of === null ? skipToken : ({ signal }) => call(consentRoutes.getConsentProof, { query: of, signal }),
  });
};

type ConsentBody = z.input<typeof consentRoutes.recordConsents.body>['consents'][number];

/** Records what somebody told a member; resolves after the record and the list are fetched again. */
export const useRecordConsent = () =>
  useChange([useKey('consents'), useKey('suppressions'), useKey('contacts')], (consent: ConsentBody) =>
    call(consentRoutes.recordConsents, { body: { consents: [consent] } }),
  );
