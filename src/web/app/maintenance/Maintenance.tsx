import { useQuery } from '@tanstack/react-query';
import { maintenanceKey } from '#web/api/query-client.ts';
import { UnderMaintenance } from './UnderMaintenance.tsx';

/** Covers the screen while the installation is closed to this person. The screen stays as it is, with what was written. */
export function Maintenance() {
  const { data: isClosed } = useQuery({ queryKey: maintenanceKey, initialData: false, enabled: false });
  return isClosed && <UnderMaintenance />;
}
