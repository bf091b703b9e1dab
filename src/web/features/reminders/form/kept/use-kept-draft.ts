import { useEffect, useRef, useState } from 'react';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { draftKey } from '#web/api/draft-places.ts';
import { useSession } from '#web/api/session.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import type { useReminderForm } from '#web/features/reminders/form/form-context.ts';
import { type KeptDraft, readKept, writeKept } from './kept-draft.ts';
import { ownPlace } from './own-place.ts';

const typingPauseMs = 500;

/** What became of a draft of an earlier visit. `offered`: it waits for a choice, and nothing else is kept meanwhile. */
export type KeptState =
  | { kind: 'none' }
  | { kind: 'restored'; savedAt: string }
  | { kind: 'offered'; kept: KeptDraft; isOutdated: boolean }
  | { kind: 'discarded'; draft: ReminderDraft };

type Options = {
  /** Null for a new one. */
  reminderId: string | null;
  /** When the reminder was changed last, null for a new one. */
  base: string | null;
};

/**
 * Keeps what is typed in this browser, and brings it back on the next visit.
 * @returns `keep` writes it now and tells whether it is safe; `forget` removes it and keeps nothing more.
 */
export function useKeptDraft(form: ReturnType<typeof useReminderForm>, { reminderId, ...given }: Options) {
  const userId = useSession()?.user.id ?? '';
  const workspaceId = useWorkspaceId();
  // Taken once: a draft belongs where it was begun, also while the session ends or somebody else changes the reminder.
  const [{ key, base }] = useState(() => ({ key: draftKey({ userId, workspaceId, reminderId }), base: given.base }));
  const [state, setState] = useState<KeptState>({ kind: 'none' });
  const mayKeep = useRef(false);

  const remove = () =>
    tried(() => {
      localStorage.removeItem(key);
      return true;
    }, false);
  const bringBack = (kept: KeptDraft) => {
    form.setValues(kept.draft);
    mayKeep.current = true;
    setState({ kind: 'restored', savedAt: kept.saved_at });
  };
  const open = () => {
    const kept = tried(() => readKept(localStorage, { key, now: new Date() }), null);
    const isOutdated = kept !== null && kept.base !== base;
    if (kept === null) mayKeep.current = true;
    else if (isOutdated || form.isDirty()) setState({ kind: 'offered', kept, isOutdated });
    else bringBack(kept);
  };
  const keep = (): boolean => {
    if (!mayKeep.current) return false;
    if (!form.isDirty()) return remove();
    const kept = { saved_at: new Date().toISOString(), base, draft: form.getValues() };
    return tried(() => writeKept(localStorage, { key, kept }), false);
  };
  const forget = () => {
    // Another tab's is not this one's to remove, nor is one that still waits for a choice.
    if (mayKeep.current) remove();
    mayKeep.current = false;
  };
  const latest = useRef({ open, keep, forget });
  useEffect(() => {
    latest.current = { open, keep, forget };
  });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const keepNow = () => void latest.current.keep();
    void ownPlace(key, signal).then((isOurs) => {
      if (isOurs && !signal.aborted) latest.current.open();
    });
    window.addEventListener('pagehide', keepNow, { signal });
    document.addEventListener('visibilitychange', keepNow, { signal });
    // Another tab has signed out.
    const follow = (event: StorageEvent) => {
      if (event.key === key && event.newValue === null) mayKeep.current = false;
    };
    window.addEventListener('storage', follow, { signal });
    return () => {
      keepNow();
      mayKeep.current = false;
      leaving.abort();
    };
  }, [key]);

  useEffect(() => {
    const timer = setTimeout(() => latest.current.keep(), typingPauseMs);
    return () => clearTimeout(timer);
  }, [form.values]);

  return {
    state,
    keep,
    forget,
    bringBack,
    /** Begins afresh; what was there can be had back until the next choice. */
    discard() {
      if (state.kind === 'restored') {
        setState({ kind: 'discarded', draft: form.getValues() });
        form.setValues(form.getInitialValues());
        form.clearErrors();
      } else setState(state.kind === 'offered' ? { kind: 'discarded', draft: state.kept.draft } : { kind: 'none' });
      mayKeep.current = true;
      remove();
    },
    undoDiscard(draft: ReminderDraft) {
      form.setValues(draft);
      setState({ kind: 'none' });
    },
  };
}

/** Storage may be full or forbidden; what is typed then lasts as long as the tab. */
function tried<Result>(act: () => Result, orElse: Result): Result {
  try {
    return act();
  } catch {
    return orElse;
  }
}
