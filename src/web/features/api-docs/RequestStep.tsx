import { Button, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { tryRequest } from '#web/api/try-request.ts';
import { useApiDocs } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import type { RequestToSend } from './request-input.ts';
import { RequestSample } from './RequestSample.tsx';
import { TriedAnswerText } from './TriedAnswerText.tsx';

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
export function RequestStep({ title, request, waitsFor = null, onAnswer, children }: RequestStepProps) {
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
      <p className={classes.quiet}>{children}</p>
      <RequestSample label={title} request={request} answer="json" />
      <div className={classes.send}>
        <Button
          loading={isPending}
          disabled={obstacle !== null}
          aria-label={`Run: ${title}`}
          onClick={() => mutate({ method, path, body, key: apiKey })}
        >
          Run
        </Button>
        {obstacle !== null && <span className={classes.quiet}>{obstacle}.</span>}
      </div>
      <TriedAnswerText answer={data} error={error} />
    </li>
  );
}
