import { Notifications } from '@mantine/notifications';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import classes from './Toasts.module.css';

/** The toasts. On phones they are at the top, clear of the keyboard and the form's buttons, and few at a time. */
export function Toasts() {
  const isPhone = useIsPhone();
  return (
    <Notifications
      position={isPhone ? 'top-center' : 'bottom-right'}
      containerWidth={400}
      transitionDuration={180}
      limit={isPhone ? 2 : 8}
      className={classes.toasts ?? ''}
    />
  );
}
