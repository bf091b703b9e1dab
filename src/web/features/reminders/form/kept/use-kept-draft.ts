import { useEffect, useRef, useState } from 'react';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { type DraftOf, draftKey } from '#web/api/draft-keys.ts';
import { useSession } from '#web/api/session.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import type { useReminderForm } from '#web/features/reminders/form/form-context.ts';
import { type KeptDraft, pruneMessages, readKept, writeKept } from './kept-draft.ts';

const typingPauseMs = 500;

/**
 * The state of a draft of an earlier visit. `offered`: it waits for the user's choice, and nothing else is stored
 * meanwhile.
 */
export type KeptState =
  | { kind: 'none' }
  | { kind: 'restored'; savedAt: string }
  | { kind: 'offered'; kept: KeptDraft; isOutdated: boolean }
  | { kind: 'discarded'; draft: ReminderDraft };

type Options = {
  of: DraftOf;
  /** The time of the reminder's last change; null for a new one. */
  base: string | null;
  /** Whether somebody has changed anything: people chosen on another screen are none. */
  hasChanges: () => boolean;
};

/**
 * Stores the form's input in this browser, and restores it on the next visit. It uses local storage and not the server,
 * because a draft must be saved while the server or the session is unavailable. Recipients are personal data, so a
 * draft belongs to one person, workspace and reminder, or the people to whom a message is written, and is removed when that person signs out, another user signs
 * in, or after thirty days. When the reminder was changed meanwhile, the form shows its current version and offers the
 * draft without merging.
 * @returns `isRead`: whether an earlier draft was looked for. `keep` stores the draft now and returns whether it succeeded; `forget` removes it and stores nothing more.
 */
export function useKeptDraft(form: ReturnType<typeof useReminderForm>, { of, hasChanges, ...given }: Options) {
  const userId = useSession()?.user.id ?? '';
  const workspaceId = useWorkspaceId();
  // The key is read once: a draft keeps its owner when the session ends or the reminder changes.
  const [{ key, base }] = useState(() => ({ key: draftKey({ userId, workspaceId, of }), base: given.base }));
  const [state, setState] = useState<KeptState>({ kind: 'none' });
  const [isRead, setRead] = useState(false);
  const mayKeep = useRef(false);

  const remove = () =>
    tried(() => {
      localStorage.removeItem(key);
      return true;
    }, false);
  /** A message goes to the people of this visit: an earlier one may have changed them. */
  const withPeople = (draft: ReminderDraft): ReminderDraft => {
    const { content, metadata } = form.getValues();
    if (!('messageId' in of)) return draft;
    const recipients = [...new Set([...content.recipients, ...draft.content.recipients])];
    const { audience = draft.metadata.audience } = metadata;
    return {
      ...draft,
      content: { ...draft.content, recipients },
      metadata: { ...draft.metadata, ...(audience !== undefined && { audience }) },
    };
  };
  /** What remains of a message without its draft are its people, and that it is sent once. */
  const emptied = (): ReminderDraft => {
    const [initial, { content, metadata, schedule_config: schedule }] = [form.getInitialValues(), form.getValues()];
    if (!('messageId' in of)) return initial;
    const { audience, one_off: isOneOff } = metadata;
    return {
      ...initial,
      schedule_config: schedule,
      content: { ...initial.content, recipients: content.recipients },
      metadata: { ...initial.metadata, ...(audience && { audience }), ...(isOneOff && { one_off: true }) },
    };
  };
  const bringBack = (kept: KeptDraft) => {
    form.setValues(withPeople(kept.draft));
    mayKeep.current = true;
    setState({ kind: 'restored', savedAt: kept.saved_at });
  };
  const open = () => {
    const prefix = draftKey({ userId, workspaceId, of: { messageId: '' } });
    tried(() => pruneMessages(localStorage, { prefix, now: new Date() }), undefined);
    const kept = tried(() => readKept(localStorage, { key, now: new Date() }), null);
    const isOutdated = kept !== null && kept.base !== base;
    const isTouched = 'messageId' in of ? hasChanges() : form.isDirty();
    if (kept === null) mayKeep.current = true;
    else if (isOutdated || isTouched) setState({ kind: 'offered', kept, isOutdated });
    else bringBack(kept);
  };
  const keep = (): boolean => {
    if (!mayKeep.current) return false;
    if (!form.isDirty()) return remove();
    const kept = { saved_at: new Date().toISOString(), base, draft: form.getValues() };
    return tried(() => writeKept(localStorage, { key, kept }), false);
  };
  const forget = () => {
    // The draft of another tab, or one that waits for a choice, is not removed.
    if (mayKeep.current) remove();
    mayKeep.current = false;
  };
  const leave = () => (hasChanges() ? keep() : mayKeep.current && remove());
  const latest = useRef({ open, keep, leave });
  useEffect(() => {
    latest.current = { open, keep, leave };
  });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const keepNow = () => void latest.current.keep();
    void ownStorage(key, signal).then((isOurs) => {
      if (signal.aborted) return;
      if (isOurs) latest.current.open();
      setRead(true);
    });
    window.addEventListener('pagehide', keepNow, { signal });
    document.addEventListener('visibilitychange', keepNow, { signal });
    // Another tab has removed the draft, for example by signing out.
    const follow = (event: StorageEvent) => {
      if (event.key === key && event.newValue === null) mayKeep.current = false;
    };
    window.addEventListener('storage', follow, { signal });
    return () => {
      latest.current.leave();
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
    isRead,
    keep,
    forget,
    bringBack,
    /** Starts from an empty draft; the old one can be restored until the next choice. */
    discard() {
      if (state.kind === 'restored') {
        setState({ kind: 'discarded', draft: form.getValues() });
        form.setValues(emptied());
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

/** Storage may be full or blocked; the input then lasts until the tab closes. */
function tried<Result>(act: () => Result, orElse: Result): Result {
  try {
    return act();
  } catch {
    return orElse;
  }
}

/** A slow computer takes longer than half a second to end a page that is being reloaded. */
const patienceMs = 2_000;

/**
 * Resolves to whether this tab may store the draft of this key: only one tab at a time may, until the signal is
 * aborted. Without the Web Locks API (plain http) every tab may, and the last write wins.
 */
function ownStorage(key: string, until: AbortSignal): Promise<boolean> {
  // TypeScript's types declare `locks` as always present.
  if (!('locks' in navigator)) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // A reloading page releases its lock shortly after it has unloaded.
  const signal = AbortSignal.any([until, AbortSignal.timeout(patienceMs)]);
  const stored = () => {
    resolve(true);
    return new Promise<void>((release) => {
      if (until.aborted) release();
      until.addEventListener('abort', () => release());
    });
  };
  navigator.locks.request(key, { signal }, stored).catch(() => resolve(false));
  return promise;
}
