import { Button, Title } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTwoFactor } from '#web/api/two-factor.ts';
import { EnableTwoFactor } from '#web/features/account/EnableTwoFactor.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LinkPage, LinkRefusal, LinkSkeleton } from '#web/ui/LinkPage.tsx';

const route = getRouteApi('/themed/auth/two-factor');

/** Leads an administrator to a second factor. It may be put off until the administration waits for it. */
export function SetUpTwoFactorScreen() {
  const { next = '/dashboard' } = route.useSearch();
  const navigate = useNavigate();
  const { data: state, error, refetch, isFetching } = useTwoFactor();
  const [isOn, setIsOn] = useState(false);
  const [openedAt] = useState(Date.now);
  const dueAt = state?.required_at ?? null;
  // Keeps the screen until the recovery codes are saved, although the second factor is on by then.
  const [isAsked, setIsAsked] = useState(false);
  if (dueAt !== null && !isAsked) setIsAsked(true);
  const isElsewhere = state !== undefined && !isAsked && dueAt === null;
  useEffect(() => {
    if (isElsewhere) void navigate({ href: next, replace: true });
  }, [isElsewhere, navigate, next]);
  const isOverdue = dueAt !== null && Date.parse(dueAt) <= openedAt;
  // The requested address may need the second factor, and would lead back here.
  const later = isOverdue ? '/dashboard' : next;
  return (
    <LinkPage title="Set up two-factor authentication">
      <Title order={1}>{isOn ? 'Save your recovery codes' : 'Set up two-factor authentication'}</Title>
      {state === undefined || isElsewhere ? (
        error === null ? (
          <LinkSkeleton />
        ) : (
          <>
            <LinkRefusal error={error} />
            <Button fullWidth loading={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        )
      ) : (
        <>
          {!isOn && dueAt !== null && (
            <p>
              You administer this installation: your password alone must not open it to others.{' '}
              {isOverdue ? (
                'The admin console is closed to you until this is on.'
              ) : (
                <>
                  The admin console closes to you on <InstantText at={dueAt} /> unless this is on by then.
                </>
              )}
            </p>
          )}
          <EnableTwoFactor
            hasPassword={state.has_password}
            leaveLabel={isOverdue ? 'Go to the dashboard' : 'Not now'}
            onLeave={() => void navigate({ href: later })}
            onEnabled={() => setIsOn(true)}
            onDone={() => void navigate({ href: next })}
          />
        </>
      )}
    </LinkPage>
  );
}
