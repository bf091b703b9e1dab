import { viewerZone } from '#web/api/viewer-zone.ts';
import { momentText } from '#web/ui/InstantText.tsx';

/** The ends that are offered: nine in the morning on a day of the viewer's calendar, whatever the clocks do until then. */
export function pauseTimes(now: Date): { label: string; until: string }[] {
  const inDays = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9).toISOString();
  return [
    { label: 'Until tomorrow', until: inDays(1) },
    { label: 'For a week', until: inDays(7) },
  ];
}

/** `Mon, 30 Nov 2026, 09:00`, in the viewer's zone. */
export const pauseEndText = (until: string) => momentText(until, viewerZone());
