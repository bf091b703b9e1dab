import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Audience } from '#contract/audience.ts';
import type { useReminderForm } from './form-context.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The people of a new reminder, chosen on another screen. */
    audience?: Audience;
  }
}

/**
 * Fills in the people that another screen has chosen, once: after a reload, the form's own draft has them. As a change and not as
 * initial values, so that an older draft is offered and does not replace them.
 */
export function useHandedAudience(form: ReturnType<typeof useReminderForm>): void {
  const handed = useLocation({ select: ({ state }) => state.audience });
  const navigate = useNavigate();
  const followed = useRef<unknown>(undefined);
  useEffect(() => {
    if (handed === undefined || handed === followed.current) return;
    followed.current = handed;
    const audience = Audience.safeParse(handed);
    if (audience.success) form.setFieldValue('metadata.audience', audience.data);
    void navigate({ to: '.', search: true, state: {}, replace: true, resetScroll: false, ignoreBlocker: true });
  });
}
