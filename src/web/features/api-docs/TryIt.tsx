import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiOperation } from '#web/api/open-api.ts';
import { tryRequest } from '#web/api/try-request.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import { useApiDocs } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { KeyField } from './KeyField.tsx';
import type { RequestInput, RequestToSend } from './request-input.ts';
import { TriedAnswerText } from './TriedAnswerText.tsx';

type TryItProps = {
  operation: ApiOperation;
  input: RequestInput;
  request: RequestToSend;
  onChange: (change: Partial<RequestInput>) => void;
};

/** Sends the request with the key of whoever reads. A stream would never end here. */
export function TryIt(props: TryItProps) {
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
    <form className={classes.form} noValidate onSubmit={submit}>
      <p className={classes.warning}>
        This acts for real, in the workspace of the key: what it sends, changes or deletes is sent, changed or deleted.
      </p>
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
      <div className={classes.send}>
        <Button type="submit" loading={isPending}>
          Send request
        </Button>
        {refusal !== null && <span role="alert">{refusal}</span>}
      </div>
      <TriedAnswerText answer={data} error={error} />
    </form>
  );
}
