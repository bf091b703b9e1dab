import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';
import { configQuery } from '#web/api/config.ts';
import { useSession } from '#web/api/session.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { useOpenWorkspace } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { KeyStep } from './KeyStep.tsx';
import { LoadedApi } from './LoadedApi.tsx';
import { exampleInput, requestOf } from './request-input.ts';
import { RequestStep } from './RequestStep.tsx';

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
          <p className={classes.quiet}>
            {hasSandbox
              ? 'Here every message arrives in the Inbox of the workspace, unless it has a channel of its own.'
              : 'It arrives where it was sent to.'}
          </p>
        ) : isSent ? (
          <p className={classes.arrived}>The message has been sent.</p>
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
