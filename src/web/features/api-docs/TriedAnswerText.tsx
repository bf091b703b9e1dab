import type { TriedAnswer } from '#web/api/try-request.ts';
import { CodeText } from '#web/ui/JsonText.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import classes from './api-docs.module.css';

type TriedAnswerTextProps = { answer: TriedAnswer | undefined; error: unknown };

/** What the server has answered, as it came, or why it did not. */
export function TriedAnswerText({ answer, error }: TriedAnswerTextProps) {
  if (error) return <p role="alert">{messageOf(error)}</p>;
  return (
    <div role="status" className={classes.answer}>
      {answer !== undefined && (
        <>
          <span data-tone={answer.status < 400 ? 'good' : 'bad'}>
            Answered {answer.status} in {answer.tookMs.toLocaleString('en')} ms
          </span>
          {answer.text !== '' && <CodeText label="The answer">{answer.text}</CodeText>}
          {answer.isCut && <span className={classes.quiet}>The beginning; the answer is longer.</span>}
        </>
      )}
    </div>
  );
}
