import { TextInput } from '@mantine/core';
import { useApiDocs } from './api-docs-state.ts';
import classes from './api-docs.module.css';

/** A text field, since browsers offer to store what is typed into a field for passwords. */
export function KeyField() {
  const { apiKey, setApiKey } = useApiDocs();
  return (
    <TextInput
      label="API key"
      description="It stays on this screen: nothing stores it, and it is gone when you leave or reload."
      placeholder="cue_…"
      classNames={{ input: classes.secret }}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={200}
      value={apiKey}
      onChange={(event) => setApiKey(event.currentTarget.value.trim())}
    />
  );
}
