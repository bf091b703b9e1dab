import { Card, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { entitlements } from '#contract/plans.ts';
import { scopes } from '#contract/scopes.ts';
import { tiers } from '#contract/tiers.ts';
import { configQuery } from '#web/api/config.ts';
import { ApiKeys } from '#web/features/api-keys/ApiKeys.tsx';
import { scopeWords } from '#web/features/api-keys/key-words.ts';
import { CodeText } from '#web/ui/JsonText.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { useOpenWorkspace } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { SigningSecret } from './SigningSecret.tsx';
import { SignInFirst } from './SignInFirst.tsx';

/** How requests prove whose they are, how many there may be, and the keys of the workspace. */
export function AuthenticationTab() {
  const workspace = useOpenWorkspace();
  return (
    <div className={classes.areas}>
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
          <p className={classes.quiet}>Owners and admins of {workspace.name} create them.</p>
        </Card>
      ) : (
        <>
          <ApiKeys workspaceId={workspace.id} />
          <SigningSecret workspaceId={workspace.id} />
        </>
      )}
    </div>
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
