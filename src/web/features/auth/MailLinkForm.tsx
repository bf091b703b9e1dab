import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isEmailAddress } from '#contract/email-address.ts';
import { LinkRefusal } from '#web/ui/LinkPage.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

type MailLinkFormProps = {
  /** The address to fill in, if it is known. */
  email?: string;
  submitLabel: string;
  send: (email: string) => Promise<unknown>;
  onSent: (email: string) => void;
};

/** Asks for an address, and has a link mailed to it. */
export function MailLinkForm({ email: known = '', submitLabel, send, onSent }: MailLinkFormProps) {
  const [email, setEmail] = useState(known);
  const [problem, setProblem] = useState<string | null>(null);
  const sending = useMutation({ mutationFn: send });
  const submit = useSubmit(async () => {
    const to = email.trim();
    if (!isEmailAddress(to)) return setProblem('Enter an email address');
    try {
      await sending.mutateAsync(to);
      onSent(to);
    } catch {
      // Shown below, from the mutation.
    }
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <LinkRefusal error={sending.error} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          placeholder="you@company.com"
          maxLength={320}
          value={email}
          error={problem}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <Button type="submit" size="md" fullWidth loading={sending.isPending}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
