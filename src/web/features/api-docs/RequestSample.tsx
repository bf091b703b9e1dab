import { Box, Button, Group } from '@mantine/core';
import type { AnswerKind } from '#web/api/open-api.ts';
import { CopyTextButton } from '#web/ui/CopyTextButton.tsx';
import { CodeText } from '#web/ui/JsonText.tsx';
import prose from '#web/ui/prose.module.css';
import { useApiDocs } from './api-docs-state.ts';
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
  const code = requestCode(language, { ...request, url: `${window.location.origin}${request.path}`, answer });
  return (
    <Box miw={0}>
      <Group gap="4px 8px" justify="space-between" mb={4}>
        <Group className={prose.touch} gap={4} role="group" aria-label={`Language of ${label}`}>
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
        </Group>
        <CopyTextButton size="compact-sm" variant="subtle" color="gray" text={code} />
      </Group>
      <CodeText label={`${label} in ${language}`}>{code}</CodeText>
    </Box>
  );
}
