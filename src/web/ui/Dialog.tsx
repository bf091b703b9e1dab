import { Drawer, Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useIsPhone } from './use-is-phone.ts';

type DialogProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Width on a wide screen, in px. */
  width?: number;
  children: ReactNode;
};

/** A dialog; on a phone a sheet that rises from the bottom. */
export function Dialog({ title, onClose, width = 480, children, ...given }: DialogProps) {
  // Opening is a change, also for one that is mounted open: only then does closing return the focus.
  const opened = useMounted() && given.opened;
  const isPhone = useIsPhone();
  // It may hold a name, and a name may be one long word.
  const heading = <strong style={{ overflowWrap: 'anywhere' }}>{title}</strong>;
  const closeButtonProps = { 'aria-label': 'Close' };
  return isPhone ? (
    <Drawer
      {...{ opened, onClose, closeButtonProps, title: heading }}
      position="bottom"
      size="auto"
      styles={{ content: { height: 'auto', maxHeight: '92dvh', borderRadius: '16px 16px 0 0' } }}
    >
      {children}
    </Drawer>
  ) : (
    <Modal {...{ opened, onClose, closeButtonProps, title: heading }} size={width}>
      {children}
    </Modal>
  );
}
