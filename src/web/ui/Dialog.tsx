import { Box, Modal } from '@mantine/core';
import { useMounted, useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './Dialog.module.css';
import { useIsPhone } from './use-is-phone.ts';

type DialogProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Width on a wide screen, in px. */
  width?: number;
  /** Whether only a button of the content closes it: for what is shown once. */
  mustAnswer?: boolean;
  children: ReactNode;
};

/** What the open dialogs show, the one in front last. */
const inFront: HTMLElement[] = [];

/** The key presses that have closed a dialog: those behind it receive them too. */
const answered = new WeakSet<KeyboardEvent>();

/** A dialog; on phones a sheet at the bottom. */
export function Dialog({ title, onClose, width = 480, mustAnswer = false, children, ...given }: DialogProps) {
  // Mantine returns the focus only after `opened` has changed, so a dialog that mounts open needs a first render as
  // closed.
  const opened = useMounted() && given.opened;
  const [content, setContent] = useState<HTMLDivElement | null>(null);
  useEffect(() => {
    if (!opened || content === null) return undefined;
    inFront.push(content);
    const watch = new MutationObserver(catchFocus);
    watch.observe(content, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      inFront.splice(inFront.indexOf(content), 1);
      // Mantine returns it before that, where what had it is still there.
      setTimeout(catchFocus, 20);
    };
  }, [opened, content]);
  const closeAtEscape = (event: KeyboardEvent) => {
    if (mustAnswer || !isEscape(event) || answered.has(event) || content === null || inFront.at(-1) !== content) return;
    answered.add(event);
    onClose();
  };
  useWindowEvent('keydown', closeAtEscape, { capture: true });
  const isPhone = useIsPhone();
  // A title may contain a name, which may be one long word.
  const heading = <strong style={{ overflowWrap: 'anywhere' }}>{title}</strong>;
  return (
    <Modal
      {...{ opened, onClose, title: heading }}
      size={width}
      closeButtonProps={{ 'aria-label': 'Close' }}
      withCloseButton={!mustAnswer}
      closeOnEscape={false}
      closeOnClickOutside={!mustAnswer}
      transitionProps={{ duration: 150, ...(isPhone && { transition: 'slide-up' }) }}
      classNames={{ inner: classes.inner ?? '', content: classes.sheet ?? '' }}
    >
      {/* While it closes, it does not take the second click of a double click. */}
      <Box ref={setContent} display="contents" inert={!opened}>
        {children}
      </Box>
    </Modal>
  );
}

/** What handles Escape itself, such as an open list of options, is marked with the attribute that Mantine's dialogs check too. */
const isEscape = ({ key, isComposing, target }: KeyboardEvent) =>
  key === 'Escape' &&
  !isComposing &&
  !(target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true');

/** What had the focus may be gone, such as a row of the dialog behind that was mended in the one in front: the dialog has it then. */
function catchFocus(): void {
  if (document.activeElement !== document.body) return;
  inFront.at(-1)?.closest<HTMLElement>('[role="dialog"]')?.focus({ preventScroll: true });
}
