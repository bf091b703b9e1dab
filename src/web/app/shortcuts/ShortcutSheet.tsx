import { Fragment } from 'react';
import { useHasRoute } from '#web/app/navigation.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Keys } from './Keys.tsx';
import classes from './Keys.module.css';
import { shortcuts } from './shortcut-keys.ts';

/** All shortcuts with their actions; those of screens that do not exist are left out. */
export default function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const hasRoute = useHasRoute();
  const offered = shortcuts.filter(({ command }) => command.kind !== 'go' || hasRoute(command.to));
  return (
    <Dialog title="Keyboard shortcuts" {...{ opened, onClose }}>
      <dl className={classes.list}>
        {offered.map(({ keys, label }) => (
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
