import { exclusionRoutes } from '#contract/exclusions.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useKey } from '#web/api/query-key.ts';

/** A change of what keeps reminders from people; resolves after what shows it is fetched again. */
function useExclusionChange<Answer, Input>(send: (input: Input) => Promise<Answer>) {
  const shown = [useKey('contacts'), useKey('reminders', 'of-contact'), useKey('reach')];
  return useChange(shown, send).mutateAsync;
}

/** Pauses reminders to a contact until a day; null ends the pause. */
export const usePauseContact = (id: string) =>
  useExclusionChange((until: string | null) =>
    until === null
      ? call(exclusionRoutes.endPauseOfContact, { params: { id } })
      : call(exclusionRoutes.pauseContact, { params: { id }, body: { until } }),
  );

type Skip = { jobId: string; contactId: string };

/** Skips a run for a contact. */
export const useSkipRun = () =>
  useExclusionChange(({ jobId, contactId }: Skip) =>
    call(exclusionRoutes.skipRun, { params: { id: jobId, contact: contactId } }),
  );

/** Sends a run to a contact after all. */
export const useEndSkip = () =>
  useExclusionChange(({ jobId, contactId }: Skip) =>
    call(exclusionRoutes.endSkip, { params: { id: jobId, contact: contactId } }),
  );
