import type { Previewed } from '#domain/template-preview.ts';
import { Notice } from '#web/features/reminders/Notice.tsx';
import { problemInWords } from '#web/features/message-preview/channel-text.ts';

/** The problems that would prevent this recipient's message. */
export function PreviewProblems({ filled: { missing, problems }, isEvent }: { filled: Previewed; isEvent: boolean }) {
  if (missing.length === 0 && problems.length === 0) return null;
  return (
    <Notice>
      {missing.length > 0 && (
        <div>
          Without a value: {missing.join(', ')}.{' '}
          {isEvent
            ? 'The event must provide it, or nothing is sent.'
            : 'This recipient gets no message until every value is set.'}
        </div>
      )}
      {problems.map(({ part, message }) => (
        <div key={part}>
          The {part === 'body' ? 'message' : 'subject'} cannot be filled in: {problemInWords(message)}
        </div>
      ))}
    </Notice>
  );
}
