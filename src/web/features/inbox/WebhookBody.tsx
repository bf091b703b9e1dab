import { CodeText, JsonText } from '#web/ui/JsonText.tsx';

/** What a webhook call carried: JSON indented, anything else as it came. */
export function WebhookBody({ text }: { text: string }) {
  const body = parsed(text);
  if (text === '') return 'The call had no body.';
  return body === undefined ? (
    <CodeText label="Body of the call">{text}</CodeText>
  ) : (
    <JsonText value={body} label="Body of the call" />
  );
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
