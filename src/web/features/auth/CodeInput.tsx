import { TextInput, type TextInputProps } from '@mantine/core';

/** A code of six digits, which phones and password managers fill in. */
export const CodeInput = (props: TextInputProps) => (
  <TextInput
    inputMode="numeric"
    autoComplete="one-time-code"
    autoCapitalize="off"
    spellCheck={false}
    placeholder="123456"
    maxLength={20}
    styles={{ input: { fontVariantNumeric: 'tabular-nums', letterSpacing: '0.2em' } }}
    {...props}
  />
);

/** A recovery code, such as `k3fqx-7mwrn`. */
export const RecoveryCodeInput = (props: TextInputProps) => (
  <TextInput
    autoComplete="off"
    autoCapitalize="off"
    spellCheck={false}
    placeholder="xxxxx-xxxxx"
    maxLength={40}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    {...props}
  />
);
