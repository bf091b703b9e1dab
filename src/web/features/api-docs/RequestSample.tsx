import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { AnswerKind } from '#web/api/open-api.ts';
import { CodeText } from '#web/ui/JsonText.tsx';
import { useApiDocs } from './api-docs-state.ts';
import classes from './api-docs.module.css';
import { languages, requestCode } from './request-code.ts';
import type { RequestToSend } from './request-input.ts';

type RequestSampleProps = {
  /** Names the code for screen readers. */
  label: string;
  request: RequestToSend;
  answer: AnswerKind;
};

/** A request as code in the chosen language, to be copied. */
export function RequestSample({ label, request, answer }: RequestSampleProps) {
  const { language, setLanguage } = useApiDocs();
  const clipboard = useClipboard({ timeout: 1_500 });
  const code = requestCode(language, { ...request, url: `${window.location.origin}${request.path}`, answer });
  return (
    <div className={classes.sample}>
      <div className={classes.sampleHead}>
        <div className={classes.categories} role="group" aria-label={`Language of ${label}`}>
          {languages.map((name) => (
            <Button
              key={name}
              size="compact-sm"
              variant={name === language ? 'light' : 'subtle'}
              color={name === language ? undefined : 'gray'}
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </Button>
          ))}
        </div>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => clipboard.copy(code)}
        >
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <CodeText label={`${label} in ${language}`}>{code}</CodeText>
    </div>
  );
}
