import { Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
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

/** The open dialogs, the one in front last: all of them receive Escape, and only that one is closed. */
const inFront: symbol[] = [];

/** A dialog; on phones a sheet at the bottom. */
export function Dialog({ title, onClose, width = 480, mustAnswer = false, children, ...given }: DialogProps) {
  // Mantine returns the focus only after `opened` has changed, so a dialog that mounts open needs a first render as
  // closed.
  const opened = useMounted() && given.opened;
  const [self] = useState(() => Symbol(title));
  useEffect(() => {
    if (!opened) return undefined;
    inFront.push(self);
    // Not before the other dialogs have received the same key press.
    return () => void setTimeout(() => inFront.splice(inFront.indexOf(self), 1));
  }, [opened, self]);
  const close = () => {
    if (inFront.at(-1) === self) onClose();
  };
  const isPhone = useIsPhone();
  // A title may contain a name, which may be one long word.
  const heading = <strong style={{ overflowWrap: 'anywhere' }}>{title}</strong>;
  return (
    <Modal
      {...{ opened, onClose: close, title: heading }}
      size={width}
      closeButtonProps={{ 'aria-label': 'Close' }}
      withCloseButton={!mustAnswer}
      closeOnEscape={!mustAnswer}
      closeOnClickOutside={!mustAnswer}
      transitionProps={{ duration: 150, ...(isPhone && { transition: 'slide-up' }) }}
      classNames={{ inner: classes.inner ?? '', content: classes.sheet ?? '' }}
    >
      {/* While it closes, it does not take the second click of a double click. */}
      <div className={classes.content} inert={!opened}>
        {children}
      </div>
    </Modal>
  );
}
