import { Title } from '@mantine/core';
import { useState } from 'react';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';
import { useExampleId } from '#web/api/try-request.ts';
import { scopeWords } from '#web/features/api-keys/key-words.ts';
import { JsonText } from '#web/ui/JsonText.tsx';
import { useOpenWorkspace } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { FieldList } from './FieldList.tsx';
import { RequestSample } from './RequestSample.tsx';
import { exampleInput, listOf, requestOf, templatesPath, type RequestInput } from './request-input.ts';
import { fieldOf, fieldsOf } from './schema-fields.ts';
import { TryIt } from './TryIt.tsx';

/** What an endpoint takes and answers, a request to copy, and a form that sends it. */
export function EndpointDetails({ operation, areas }: { operation: ApiOperation; areas: ApiArea[] }) {
  const workspaceId = useOpenWorkspace()?.id;
  const example = exampleInput(operation, {
    id: useExampleId(workspaceId, listOf(operation, areas)),
    templateId: useExampleId(workspaceId, operation.body === null ? null : templatesPath),
  });
  const [typed, setTyped] = useState<Partial<RequestInput>>({});
  const input = { ...example, ...typed, values: { ...example.values, ...typed.values } };
  const request = requestOf(operation, input);
  return (
    <div className={classes.details}>
      <div className={classes.facts}>
        <Scopes scopes={operation.scopes} />
        <Fields operation={operation} />
        <Answer answer={operation.answer} />
      </div>
      <div className={classes.requests}>
        <RequestSample label="Request" request={request} answer={operation.answer.kind} />
        <TryIt
          operation={operation}
          input={input}
          request={request}
          onChange={(change) =>
            setTyped((before) => ({ ...before, ...change, values: { ...before.values, ...change.values } }))
          }
        />
      </div>
    </div>
  );
}

const Scopes = ({ scopes }: { scopes: string[] }) => (
  <p className={classes.quiet}>
    {scopes.length === 0
      ? 'Needs no API key: the address is itself the secret.'
      : `Needs an API key that may ${scopes.map((scope) => nameOf(scope).toLowerCase()).join(' or ')}.`}
  </p>
);

const nameOf = (scope: string) => Object.entries(scopeWords).find(([known]) => known === scope)?.[1].name ?? scope;

const Fields = ({ operation: { parameters, body } }: { operation: ApiOperation }) => (
  <>
    {(['path', 'query'] as const).map((location) => (
      <FieldList
        key={location}
        title={location === 'path' ? 'Path' : 'Query'}
        fields={parameters
          .filter((parameter) => parameter.in === location)
          .map(({ name, schema, required }) => fieldOf(name, schema, required))}
      />
    ))}
    <FieldList title="Body" fields={body === null ? [] : fieldsOf(body.schema)} />
  </>
);

const Answer = ({ answer: { status, kind, example } }: { answer: ApiOperation['answer'] }) => (
  <section>
    <Title order={4}>Answer: {status}</Title>
    {kind === 'json' ? (
      <JsonText value={example} label="Answer" />
    ) : (
      <p className={classes.quiet}>{answerWords[kind]}</p>
    )}
  </section>
);

const answerWords = {
  file: 'A file.',
  stream: 'A stream of events, until you close it.',
  nothing: 'Without a body.',
};
