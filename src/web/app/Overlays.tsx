import { OfflineLine } from './OfflineLine.tsx';
import { Maintenance } from './maintenance/Maintenance.tsx';
import { Toasts } from './Toasts.tsx';

/** What may cover a screen, whichever it is. */
export default function Overlays() {
  return (
    <>
      <Toasts />
      <Maintenance />
      <OfflineLine />
    </>
  );
}
