import { Stack, Text } from '@mantine/core';
import type { TriedAnswer } from '#web/api/try-request.ts';
import { CodeText } from '#web/ui/JsonText.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import prose from '#web/ui/prose.module.css';

type TriedAnswerTextProps = { answer: TriedAnswer | undefined; error: unknown };

/** What the server has answered, as it came, or why it did not. */
export function TriedAnswerText({ answer, error }: TriedAnswerTextProps) {
  if (error) return <p role="alert">{messageOf(error)}</p>;
  return (
    <Stack gap={4} role="status">
      {answer !== undefined && (
        <>
          <Text c={answer.status < 400 ? 'var(--status-good)' : 'var(--status-bad)'}>
            Answered {answer.status} in {answer.tookMs.toLocaleString('en')} ms
          </Text>
          {answer.text !== '' && <CodeText label="The answer">{answer.text}</CodeText>}
          {answer.isCut && <span className={prose.dimParagraph}>The beginning; the answer is longer.</span>}
        </>
      )}
    </Stack>
  );
}
