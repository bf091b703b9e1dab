import { Button } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { demoLimits } from '#contract/demo-limits.ts';
import { useSignOut } from '#web/features/auth/sign-out.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import classes from '#web/ui/banner.module.css';

/** On every screen of a visitor's demo: that it is one, until when, what it no longer does, and the way to a workspace of one's own. */
export default function DemoBar({ until, isSpent }: { until: string; isSpent: boolean }) {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const signUp = async () => {
    try {
      await signOut.mutateAsync();
    } catch {
      // A message has said so; still signed in, there is no way to the form.
      return;
    }
    await navigate({ to: '/auth', search: { tab: 'sign-up' }, replace: true });
  };
  return (
    <section className={classes.banner} aria-label="Demo">
      <div className={classes.inner}>
        <IconTestPipe size={18} aria-hidden />
        <p className={classes.words}>
          <strong>This is your own demo.</strong>{' '}
          {isSpent ? (
            <>
              It has sent the {demoLimits.messages.toLocaleString('en')} messages that a demo may send, and sends
              nothing more. Sign up to go on. It is
            </>
          ) : (
            <>
              It sends into the <TextLink to="/inbox">Inbox</TextLink> only, and is
            </>
          )}{' '}
          deleted on <InstantText at={until} />.
        </p>
        <Button size="compact-sm" loading={signOut.isPending} onClick={() => void signUp()}>
          Sign up
        </Button>
      </div>
    </section>
  );
}
