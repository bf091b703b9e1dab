import '@mantine/core/styles/PasswordInput.layer.css';
import { Box, PasswordInput, type PasswordInputProps } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useMinPasswordLength } from './min-length.ts';

// With its list of common passwords, it is loaded once somebody types one.
const StrengthMeter = lazy(() => import('./StrengthMeter.tsx'));

type NewPasswordInputProps = PasswordInputProps & {
  /** What else is known of the person, such as their name: none of it belongs in a password. */
  own: () => readonly string[];
};

/** The longest password. The field does not cut a longer one, or its owner could not sign in with it; the server refuses it. */
const longest = 200;

/** A field for a new password, with its strength in words below it; it refuses nothing. */
export function NewPasswordInput({ own, onChange, ...input }: NewPasswordInputProps) {
  const [typed, setTyped] = useState('');
  const minLength = useMinPasswordLength();
  return (
    <div>
      <PasswordInput
        description={`At least ${minLength} characters`}
        autoComplete="new-password"
        // Mantine leaves it out here.
        aria-invalid={input.error ? true : undefined}
        {...input}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          onChange?.(event);
        }}
      />
      {/* Two lines of words are kept free, so that nothing jumps while somebody types. */}
      <Box mih={46} mt={8} fz="xs" lh="1rem" role="status">
        {typed !== '' && (
          <Suspense>
            <StrengthMeter password={typed.slice(0, longest)} own={own()} />
          </Suspense>
        )}
      </Box>
    </div>
  );
}
