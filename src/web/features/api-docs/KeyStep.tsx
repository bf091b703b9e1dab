import { Button, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import type { Workspace } from '#contract/workspaces.ts';
import { dayMs } from '#domain/instants.ts';
import { useCreateApiKey } from '#web/api/api-keys.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { CodeText } from '#web/ui/JsonText.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { useApiDocs, useOpenWorkspace } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { KeyField } from './KeyField.tsx';

const keyLifeMs = dayMs;

/** The first step: a key of one's own, or a new one for a day. */
export function KeyStep() {
  const workspace = useOpenWorkspace();
  return (
    <li className={classes.step}>
      <Title order={2}>Get an API key</Title>
      <p className={classes.quiet}>
        Every request carries one. What you run here acts for real, in the workspace of the key.
      </p>
      {workspace === undefined ? (
        <SignIn />
      ) : workspace.role === 'member' ? (
        <p>Owners and admins of {workspace.name} create keys: ask one of them, and paste it here.</p>
      ) : (
        <NewKeyOf workspace={workspace} />
      )}
      <KeyField />
      <CodeText label="The key in the environment of your programs">export CUEBIRD_API_KEY=cue_…</CodeText>
    </li>
  );
}

function SignIn() {
  const next = useLocation({ select: ({ href }) => href });
  return (
    <div className={classes.send}>
      <ButtonLink to="/auth" search={{ next }}>
        Sign In
      </ButtonLink>
      <span className={classes.quiet}>to create a key for your workspace, or paste one that you have.</span>
    </div>
  );
}

function NewKeyOf({ workspace }: { workspace: Workspace }) {
  const { apiKey, setApiKey } = useApiDocs();
  const { mutate, data, isPending } = useCreateApiKey(workspace.id);
  const create = () =>
    mutate(
      {
        name: 'Quick Start',
        scopes: ['send', 'read', 'manage'],
        expires_at: new Date(Date.now() + keyLifeMs).toISOString(),
      },
      {
        onSuccess: ({ key }) => setApiKey(key),
        onError: (error) => notifyFailure('Error creating API key', error),
      },
    );
  if (data !== undefined && data.key === apiKey)
    return (
      <p role="status">
        This key of {workspace.name} works for a day, and is shown only now:{' '}
        <Copyable text={data.key} shown={`${data.prefix}…`} label="Copy the API key" />
      </p>
    );
  return (
    <div className={classes.send}>
      <Button loading={isPending} onClick={create}>
        Create a key
      </Button>
      <span className={classes.quiet}>It may do everything in {workspace.name}, for a day.</span>
    </div>
  );
}
