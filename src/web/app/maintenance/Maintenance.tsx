import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { maintenanceQuery } from '#web/api/maintenance.ts';

const UnderMaintenance = lazy(() => import('./UnderMaintenance.tsx'));

/** Covers the screen while the installation is closed to this person. The screen stays as it is, with what was written. */
export function Maintenance() {
  const { data: isClosed } = useQuery(maintenanceQuery);
  return <Suspense>{isClosed && <UnderMaintenance />}</Suspense>;
}
