import { Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import type { Workspace } from '#contract/workspaces.ts';
import { dayMs } from '#domain/instants.ts';
import { useCreateApiKey } from '#web/api/api-keys.ts';
import { configQuery } from '#web/api/config.ts';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';
import { useSession } from '#web/api/session.ts';
import { tryRequest } from '#web/api/try-request.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { CodeText } from '#web/ui/JsonText.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import prose from '#web/ui/prose.module.css';
import { useApiDocs, useOpenWorkspace } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { KeyField } from './KeyField.tsx';
import { LoadedApi } from './LoadedApi.tsx';
import { exampleInput, requestOf, type RequestToSend } from './request-input.ts';
import { RequestSample } from './RequestSample.tsx';
import { TriedAnswerText } from './TriedAnswerText.tsx';

/** From nothing to a message that has arrived, by the requests that a program would send. */
export const QuickStartTab = () => <LoadedApi>{(areas) => <QuickStart areas={areas} />}</LoadedApi>;

const Made = z.looseObject({ id: z.string() });
const Sent = z.looseObject({ job_id: z.string() });
const Outcome = z.looseObject({
  status: z.string(),
  outcomes: z.array(z.looseObject({ status: z.string(), reason: z.string().nullable() })),
});

function QuickStart({ areas }: { areas: ApiArea[] }) {
  const recipient = useOwnAddress();
  const [templateId, setTemplateId] = useState<string>();
  const [jobId, setJobId] = useState<string>();
  const [outcome, setOutcome] = useState<z.output<typeof Outcome>>();
  const requests = quickStartRequests(areas, { templateId, jobId, recipient });
  if (requests === null) return null;
  return (
    <ol className={classes.steps}>
      <KeyStep />
      <RequestStep
        title="Write a template"
        request={requests.createTemplate}
        onAnswer={(json) => setTemplateId(Made.safeParse(json).data?.id)}
      >
        A message is made from a template, so that its text stays where people edit it.
      </RequestStep>
      <RequestStep
        title="Send a message"
        request={requests.send}
        waitsFor={templateId === undefined ? 'Write the template first' : null}
        onAnswer={(json) => {
          setJobId(Sent.safeParse(json).data?.job_id);
          setOutcome(undefined);
        }}
      >
        To {recipient ?? 'the recipient'}, with the values of this message.
      </RequestStep>
      <RequestStep
        title="Follow it"
        request={requests.follow}
        waitsFor={jobId === undefined ? 'Send the message first' : null}
        onAnswer={(json) => setOutcome(Outcome.safeParse(json).data)}
      >
        The answer comes when the job has ended, after 30 seconds at most, with the outcome of each recipient.
      </RequestStep>
      <Result outcome={outcome} />
    </ol>
  );
}

/** The address of who is signed in, so that the first message goes to nobody else. */
function useOwnAddress(): string | null {
  const session = useSession();
  if (!session) return null;
  const { name, email } = session.user;
  const plainName = name.replaceAll(/[^\p{L}\p{M}\p{N} .'-]/gu, '').trim();
  return plainName === '' ? email : `${plainName} <${email}>`;
}

type Known = { templateId: string | undefined; jobId: string | undefined; recipient: string | null };

/** The requests as the description has them, with what is known so far. Null where the description lacks one of them. */
function quickStartRequests(areas: ApiArea[], { templateId, jobId, recipient }: Known) {
  const operations = areas.flatMap((area) => area.operations);
  const named = (id: string) => operations.find((operation) => operation.id === id);
  const [create, send, get] = [named('createTemplate'), named('sendNotification'), named('getJob')];
  if (create === undefined || send === undefined || get === undefined) return null;
  const prepared = (operation: ApiOperation, { body, values }: { body?: object; values?: Record<string, string> }) => {
    const example = exampleInput(operation, { id: undefined, templateId: undefined });
    const input = {
      values: { ...example.values, ...values },
      body: body === undefined ? example.body : JSON.stringify({ ...parsed(example.body), ...body }, null, 2),
    };
    return requestOf(operation, input);
  };
  return {
    createTemplate: prepared(create, {}),
    send: prepared(send, { body: { template_id: templateId ?? 'TEMPLATE', ...(recipient !== null && { recipient }) } }),
    follow: prepared(get, { values: { id: jobId ?? '', wait: '30' } }),
  };
}

function parsed(json: string): object {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? value : {};
}

function Result({ outcome }: { outcome: z.output<typeof Outcome> | undefined }) {
  const hasSandbox = useQuery(configQuery).data?.sandbox === true;
  const workspace = useOpenWorkspace();
  const first = outcome?.outcomes[0];
  const isSent = first?.status === 'accepted' || first?.status === 'delivered';
  return (
    <li className={classes.step}>
      <Title order={2}>Read it</Title>
      <div role="status">
        {outcome === undefined ? (
          <p className={prose.dimParagraph}>
            {hasSandbox
              ? 'Here every message arrives in the Inbox of the workspace, unless it has a channel of its own.'
              : 'It arrives where it was sent to.'}
          </p>
        ) : isSent ? (
          <Text c="var(--status-good)">The message has been sent.</Text>
        ) : (
          <p>
            The job is {outcome.status}
            {first && `, and the message ${first.status}`}
            {first?.reason && `: ${first.reason}`}.
          </p>
        )}
      </div>
      {isSent && hasSandbox && workspace !== undefined && <ButtonLink to="/inbox">Open the Inbox</ButtonLink>}
    </li>
  );
}

const keyLifeMs = dayMs;

/** The first step: a key of one's own, or a new one for a day. */
function KeyStep() {
  const workspace = useOpenWorkspace();
  return (
    <li className={classes.step}>
      <Title order={2}>Get an API key</Title>
      <p className={prose.dimParagraph}>
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
    <Group gap="8px 12px">
      <ButtonLink to="/auth" search={{ next }}>
        Sign In
      </ButtonLink>
      <span className={prose.dimParagraph}>to create a key for your workspace, or paste one that you have.</span>
    </Group>
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
    <Group gap="8px 12px">
      <Button loading={isPending} onClick={create}>
        Create a key
      </Button>
      <span className={prose.dimParagraph}>It may do everything in {workspace.name}, for a day.</span>
    </Group>
  );
}

type RequestStepProps = {
  title: string;
  request: RequestToSend;
  /** What has to be done before; null when nothing has. */
  waitsFor?: string | null;
  onAnswer: (json: unknown) => void;
  /** A sentence that says what the request is for. */
  children: ReactNode;
};

/** A step that is one request: its code, a button that sends it, and the answer. */
function RequestStep({ title, request, waitsFor = null, onAnswer, children }: RequestStepProps) {
  const { apiKey } = useApiDocs();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: tryRequest,
    onSuccess: ({ status, text, isCut }) => status < 400 && !isCut && onAnswer(JSON.parse(text)),
  });
  const obstacle = apiKey === '' ? 'Get an API key first' : (waitsFor ?? request.problem);
  const { method, path, body } = request;
  return (
    <li className={classes.step}>
      <Title order={2}>{title}</Title>
      <p className={prose.dimParagraph}>{children}</p>
      <RequestSample label={title} request={request} answer="json" />
      <Group gap="8px 12px">
        <Button
          loading={isPending}
          disabled={obstacle !== null}
          aria-label={`Run: ${title}`}
          onClick={() => mutate({ method, path, body, key: apiKey })}
        >
          Run
        </Button>
        {obstacle !== null && <span className={prose.dimParagraph}>{obstacle}.</span>}
      </Group>
      <TriedAnswerText answer={data} error={error} />
    </li>
  );
}
