import { useQuery } from '@tanstack/react-query';
import { deliveryPauseRoutes, type Resume } from '#contract/delivery-pause.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';

/** Whether deliveries are paused, and what would go out; for administrators of the installation. */
export const useDeliveryPause = () =>
  useQuery({
    queryKey: adminKey('delivery-pause'),
    queryFn: ({ signal }) => call(deliveryPauseRoutes.getDeliveryPause, { signal }),
    refetchInterval: 60_000,
  });

export const useResumeDeliveries = () =>
  useChange([['admin']], (body: Resume) => call(deliveryPauseRoutes.resumeDeliveries, { body }));
