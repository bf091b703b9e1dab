import { Notifications } from '@mantine/notifications';
import { useIsPhone } from '#web/ui/use-is-phone.ts';

/** The toasts: at the top of a phone's screen, where neither the keyboard nor a form's button is. */
export default function Toasts() {
  const isPhone = useIsPhone();
  return (
    <Notifications
      position={isPhone ? 'top-center' : 'bottom-right'}
      containerWidth={400}
      transitionDuration={180}
      limit={8}
    />
  );
}
