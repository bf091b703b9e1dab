import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { entitlements } from '#contract/plans.ts';
import { scopes } from '#contract/scopes.ts';
import { signingOverlapHours } from '#contract/signing-secret.ts';
import { tiers } from '#contract/tiers.ts';
import { configQuery } from '#web/api/config.ts';
import { useSession } from '#web/api/session.ts';
import { useSigningSecret } from '#web/api/signing-secret.ts';
import { ApiKeys } from '#web/features/api-keys/ApiKeys.tsx';
import { scopeWords } from '#web/features/api-keys/key-words.ts';
import { act } from '#web/ui/act.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { Copyable } from '#web/ui/Copyable.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { CodeText } from '#web/ui/JsonText.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import prose from '#web/ui/prose.module.css';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useOpenWorkspace } from './api-docs-state.ts';
import classes from './api-docs.module.css';

/** How requests prove whose they are, how many there may be, and the keys of the workspace. */
export function AuthenticationTab() {
  const workspace = useOpenWorkspace();
  return (
    <Stack gap="xl">
      <Card className={classes.text}>
        <Title order={2} size="h3">
          A key with every request
        </Title>
        <p>
          Requests carry an API key of a workspace. It implies the workspace, so nothing else names it. Whoever has the
          key can do what it may: keep it out of code and out of browsers.
        </p>
        <CodeText label="Header">Authorization: Bearer cue_…</CodeText>
        <dl className={classes.fields}>
          {scopes.map((scope) => (
            <div key={scope}>
              <dt>
                <code>{scope}</code>
              </dt>
              <dd>{scopeWords[scope].text}</dd>
            </div>
          ))}
        </dl>
        <p>
          A missing, expired or revoked key is answered with 401, one that may not do this with 403. Every refusal has
          the same shape, and names the fields that are wrong:
        </p>
        <CodeText label="A refusal">{refusal}</CodeText>
        <p>
          A request that may have arrived is sent again with the same <code>Idempotency-Key</code>: it has one effect.
        </p>
      </Card>
      <RateLimits />
      {workspace === undefined ? (
        <SignInFirst what="create API keys" />
      ) : workspace.role === 'member' ? (
        <Card>
          <Title order={2} size="h3">
            API keys
          </Title>
          <p className={prose.dimParagraph}>Owners and admins of {workspace.name} create them.</p>
        </Card>
      ) : (
        <>
          <ApiKeys workspaceId={workspace.id} />
          <SigningSecret workspaceId={workspace.id} />
        </>
      )}
    </Stack>
  );
}

const refusal = `{"error": {"code": "…", "message": "…", "fields": [{"path": "recipient", "message": "…"}], "request_id": "…"}}`;

const RateLimits = () => (
  <Card className={classes.text}>
    <Title order={2} size="h3">
      Rate limits
    </Title>
    <Loaded of={useQuery(configQuery)} failed="Error loading the rate limits">
      {({ billing }) =>
        billing === 'off' ? <p>The number of requests is not limited on this installation.</p> : <LimitsByPlan />
      }
    </Loaded>
  </Card>
);

const LimitsByPlan = () => (
  <>
    <ul>
      {tiers.map((tier) => (
        <li key={tier}>
          {entitlements[tier].apiRequestsPerHour.toLocaleString('en')} requests per hour on {entitlements[tier].name}
        </li>
      ))}
    </ul>
    <p>
      All keys of a workspace count together. Each answer says in <code>RateLimit-Remaining</code> how many are left;
      beyond them the answer is 429, with <code>Retry-After</code>.
    </p>
  </>
);

/** In the place of what needs a workspace. */
function SignInFirst({ what }: { what: string }) {
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

/** The secret with which receivers check the workspace's webhooks, for its owners and admins. */
function SigningSecret({ workspaceId }: { workspaceId: string }) {
  const { mutateAsync, data, isPending } = useSigningSecret(workspaceId);
  const { dialog, open } = useDialogState();
  const reveal = () => act(mutateAsync('reveal'), { failed: 'Error loading the signing secret' });
  return (
    <RecordSection
      title="Signing secret"
      aside={
        data === undefined ? (
          <Button size="sm" variant="default" loading={isPending} onClick={() => void reveal()}>
            Show secret
          </Button>
        ) : (
          <Button size="sm" variant="default" onClick={() => open(true)}>
            Replace secret
          </Button>
        )
      }
    >
      <Stack className={prose.breaks} gap="xs" px="var(--gutter)" pb="md">
        <Text maw={720}>
          Webhooks are signed as Standard Webhooks describes (<code>webhook-signature</code>): with the secret of their
          channel, or else with this one. Receivers that check it know that a call is yours.
        </Text>
        {data !== undefined && (
          <>
            <Copyable text={data.secret} label="Copy the signing secret" />
            <Text maw={720} c="dimmed">
              In use since <InstantText at={data.changed_at} />.
              {data.previous_ends_at !== null && (
                <>
                  {' '}
                  The one before signs too, until <InstantText at={data.previous_ends_at} />.
                </>
              )}
            </Text>
          </>
        )}
      </Stack>
      <ActDialog
        title="Replace the signing secret?"
        confirmLabel="Replace secret"
        run={() => mutateAsync('rotate')}
        done={['Signing secret replaced', 'For a day both secrets sign.']}
        failed="Error replacing the signing secret"
        {...dialog}
      >
        For {signingOverlapHours} hours every webhook has two signatures, one of each secret: enter the new one at your
        receivers until then. {data?.previous_ends_at != null && 'The secret before this one stops signing at once.'}
      </ActDialog>
    </RecordSection>
  );
}
