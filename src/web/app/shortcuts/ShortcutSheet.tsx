import { Fragment } from 'react';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Keys } from './Keys.tsx';
import classes from './Keys.module.css';
import { shortcuts } from './shortcut-keys.ts';

/** All shortcuts with their actions. */
export default function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" {...{ opened, onClose }}>
      <dl className={classes.list}>
        {shortcuts.map(({ keys, label }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
