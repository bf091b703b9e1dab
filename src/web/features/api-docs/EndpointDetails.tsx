import { Box, Button, Flex, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';
import { tryRequest, useExampleId } from '#web/api/try-request.ts';
import { scopeWords } from '#web/features/api-keys/key-words.ts';
import { JsonText } from '#web/ui/JsonText.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { useApiDocs, useOpenWorkspace } from './api-docs-state.ts';
import prose from '#web/ui/prose.module.css';
import classes from './api-docs.module.css';
import { KeyField } from './KeyField.tsx';
import {
  exampleInput,
  listOf,
  type RequestInput,
  requestOf,
  type RequestToSend,
  templatesPath,
} from './request-input.ts';
import { RequestSample } from './RequestSample.tsx';
import { fieldOf, fieldsOf, type SchemaField } from './schema-fields.ts';
import { TriedAnswerText } from './TriedAnswerText.tsx';

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
      <Stack gap="md" miw={0}>
        <Scopes scopes={operation.scopes} />
        <Fields operation={operation} />
        <Answer answer={operation.answer} />
      </Stack>
      <Stack gap="md" miw={0}>
        <RequestSample label="Request" request={request} answer={operation.answer.kind} />
        <TryIt
          operation={operation}
          input={input}
          request={request}
          onChange={(change) =>
            setTyped((before) => ({ ...before, ...change, values: { ...before.values, ...change.values } }))
          }
        />
      </Stack>
    </div>
  );
}

const Scopes = ({ scopes }: { scopes: string[] }) => (
  <p className={prose.dimParagraph}>
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
    <Title order={4} mb={4}>
      Answer: {status}
    </Title>
    {kind === 'json' ? (
      <JsonText value={example} label="Answer" />
    ) : (
      <p className={prose.dimParagraph}>{answerWords[kind]}</p>
    )}
  </section>
);

const answerWords = {
  file: 'A file.',
  stream: 'A stream of events, until you close it.',
  nothing: 'Without a body.',
};

/** The fields of a part of a request; nothing where it has none. */
const FieldList = ({ title, fields }: { title: string; fields: SchemaField[] }) =>
  fields.length > 0 && (
    <section>
      <Title order={4} mb={4}>
        {title}
      </Title>
      <dl className={classes.fields}>
        {fields.map(({ name, type, isRequired, notes }) => (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className={prose.tiny}>{type}</span>
              {isRequired && (
                <Box component="span" ml="xs" fz="xs" c="var(--status-waiting)">
                  required
                </Box>
              )}
            </dt>
            {notes.length > 0 && (
              <dd>
                <Marked text={notes.join(' ')} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  );

/** Words in backticks are code. */
const Marked = ({ text }: { text: string }) =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));

type TryItProps = {
  operation: ApiOperation;
  input: RequestInput;
  request: RequestToSend;
  onChange: (change: Partial<RequestInput>) => void;
};

/** Sends the request with the key of whoever reads. A stream would never end here. */
function TryIt(props: TryItProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (props.operation.answer.kind === 'stream') return null;
  return (
    <section>
      <Button variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Try it
      </Button>
      {isOpen && <TryItForm {...props} />}
    </section>
  );
}

function TryItForm({ operation, input, request, onChange }: TryItProps) {
  const { apiKey } = useApiDocs();
  const [refusal, setRefusal] = useState<string | null>(null);
  const { mutateAsync, data, error, isPending } = useMutation({ mutationFn: tryRequest });
  const submit = useSubmit(async () => {
    const problem = request.problem ?? (request.needsKey && apiKey === '' ? 'Enter an API key' : null);
    setRefusal(problem);
    if (problem !== null) return;
    const { method, path, body, needsKey } = request;
    // Shown below, from the mutation.
    await mutateAsync({ method, path, body, key: needsKey ? apiKey : null }).catch(() => {});
  });
  return (
    <Flex component="form" direction="column" gap="md" miw={0} mt="md" noValidate onSubmit={submit}>
      <Text py={10} px={14} bdrs="md" c="var(--status-waiting)" bg="var(--status-waiting-ground)">
        This acts for real, in the workspace of the key: what it sends, changes or deletes is sent, changed or deleted.
      </Text>
      {request.needsKey && <KeyField />}
      {operation.parameters.map(({ name, required }) => (
        <TextInput
          key={name}
          label={name}
          required={required}
          value={input.values[name] ?? ''}
          onChange={(event) => onChange({ values: { [name]: event.currentTarget.value } })}
        />
      ))}
      {operation.body !== null && (
        <Textarea
          label="Body"
          classNames={{ input: classes.body }}
          rows={Math.min(input.body.split('\n').length, 16)}
          spellCheck={false}
          value={input.body}
          onChange={(event) => onChange({ body: event.currentTarget.value })}
        />
      )}
      <Group gap="8px 12px">
        <Button type="submit" loading={isPending}>
          Send request
        </Button>
        {refusal !== null && <span role="alert">{refusal}</span>}
      </Group>
      <TriedAnswerText answer={data} error={error} />
    </Flex>
  );
}
