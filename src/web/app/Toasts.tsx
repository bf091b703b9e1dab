import { Notifications } from '@mantine/notifications';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import classes from './Toasts.module.css';

// Above dialogs (200), below menus and lists of choices (300): what a person has just opened stays usable.
const belowMenus = 250;

/** The toasts. On phones they are at the top, clear of the keyboard and the form's buttons, and few at a time. */
export function Toasts() {
  const isPhone = useIsPhone();
  return (
    <Notifications
      position={isPhone ? 'top-center' : 'bottom-right'}
      containerWidth={400}
      zIndex={belowMenus}
      transitionDuration={180}
      limit={isPhone ? 2 : 8}
      className={classes.toasts ?? ''}
    />
  );
}
