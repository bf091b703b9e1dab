import type { z } from 'zod';
import type { ChannelType } from '#contract/channel-types.ts';
import {
  type Coverage,
  type SuppressionChanges,
  type SuppressionInput,
  type SuppressionReason,
  suppressionRoutes,
} from '#contract/suppressions.ts';
import { useWorkspaceChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { useKey } from '#web/api/query-key.ts';

const pageSize = 100;

export type SuppressionFilters = {
  search?: string;
  channel?: ChannelType;
  reason?: SuppressionReason;
  covers?: Coverage;
  topic_id?: string;
};

/** The suppression list, newest first; `data` is one flat list of the pages loaded so far. */
export const useSuppressions = (filters: SuppressionFilters) =>
  usePagedList({
    queryKey: useKey('suppressions', 'list', filters),
    read: ({ cursor, signal }) =>
      call(suppressionRoutes.listSuppressions, { query: { ...filters, limit: pageSize, cursor }, signal }),
    watches: ['suppressions', 'contacts', 'topics'],
    keepsRows: true,
  });

/** Adds a suppression; resolves after the list is refetched. */
export const useAddSuppression = () =>
  useWorkspaceChange('suppressions', (body: z.input<typeof SuppressionInput>) =>
    call(suppressionRoutes.addSuppression, { body }),
  );

/** Has an entry for everything cover less; resolves after the list is refetched. */
export const useNarrowSuppression = () =>
  useWorkspaceChange('suppressions', ({ id, ...body }: { id: string } & z.input<typeof SuppressionChanges>) =>
    call(suppressionRoutes.updateSuppression, { params: { id }, body }),
  );

/** Removes a suppression; resolves after the list is refetched. */
export const useRemoveSuppression = () =>
  useWorkspaceChange('suppressions', (id: string) => call(suppressionRoutes.removeSuppression, { params: { id } }));
