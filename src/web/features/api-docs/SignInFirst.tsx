import { Card } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useSession } from '#web/api/session.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';

/** In the place of what needs a workspace. */
export function SignInFirst({ what }: { what: string }) {
  const next = useLocation({ select: ({ href }) => href });
  const session = useSession();
  return (
    <Card>
      {session ? (
        <EmptyState
          icon={IconKey}
          title="No Workspace Selected"
          sentence={`Create or choose a workspace to ${what}.`}
          action={<ButtonLink to="/dashboard">Go to the dashboard</ButtonLink>}
        />
      ) : (
        <EmptyState
          icon={IconKey}
          title="Authentication Required"
          sentence={`Sign in to ${what}.`}
          action={
            <ButtonLink to="/auth" search={{ next }}>
              Sign In
            </ButtonLink>
          }
        />
      )}
    </Card>
  );
}
