import type { InboxMessage } from '#contract/inbox.ts';
import { CodeText, JsonText } from '#web/ui/JsonText.tsx';
import { Headers } from './Headers.tsx';

/** A request body: JSON indented, form data field by field, anything else unchanged. */
export function RequestText({ headers, body }: { headers: InboxMessage['headers']; body: string }) {
  if (body === '') return 'The request had no body.';
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return <Headers headers={Object.fromEntries(new URLSearchParams(body))} />;
  const parsed = parsedJson(body);
  return parsed === undefined ? (
    <CodeText label="Request body">{body}</CodeText>
  ) : (
    <JsonText value={parsed} label="Request body" />
  );
}

function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
