import { Button, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type SignUp, signUp } from '#web/api/sign-in.ts';
import { returnPath } from '#web/features/admin-setup/return-path.ts';
import { clearToasts, notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { authText, refusedField, texts, tooShortText } from './auth-texts.ts';
import { useEnter } from './enter.ts';
import { filled, focusFirst } from './filled.ts';
import { NewPasswordInput } from './password/NewPasswordInput.tsx';
import { useMinPasswordLength } from './password/min-length.ts';

const afterSignUpMs = 1000;
const failureTitle = 'Sign up failed';

export type AuthFormProps = {
  /** Where it leads; the dashboard when left out. */
  next?: string | undefined;
  /** The only address that it is for, such as that of an invitation. */
  email?: string | undefined;
  /** Called before anything is sent. */
  onBegin?: (() => void) | undefined;
};

export function SignUpForm({ next, email: own = '', onBegin }: AuthFormProps) {
  const enter = useEnter();
  const minLength = useMinPasswordLength();
  const form = useForm<SignUp>({
    mode: 'uncontrolled',
    initialValues: { name: '', email: own, password: '' },
    validate: {
      name: filled,
      email: filled,
      password: (password) => filled(password) ?? (password.length < minLength ? tooShortText(minLength) : null),
    },
  });
  const [sentTo, setSentTo] = useState<string | null>(null);
  const submission = useMutation({
    onMutate: clearToasts,
    mutationFn: async (values: SignUp) => {
      onBegin?.();
      const { verified } = await signUp(values);
      if (!verified) {
        setSentTo(values.email);
        return notifySuccess('Check your email', 'We sent you a link. Follow it to verify your address.');
      }
      notifySuccess('Account created', leadsTo(next ?? returnPath() ?? ''), { about: 'workspace' });
      await enter(afterSignUpMs, next);
    },
    onError: (error) => {
      notifyError(failureTitle, authText(error));
      const field = refusedField(error);
      if (field === null) return;
      form.setFieldError(field, authText(error));
      form.getInputNode(field)?.focus();
    },
  });
  const submit = useSubmit(async () => {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) {
      clearToasts();
      focusFirst(form, errors);
      const isBlank = Object.values(errors).includes('Required');
      return void notifyError(failureTitle, isBlank ? texts.fillAllFields : tooShortText(minLength));
    }
    const { name, email, password } = form.getValues();
    // Its errors are shown by the mutation.
    await submission.mutateAsync({ name: name.trim(), email: email.trim(), password }).catch(() => {});
  });
  if (sentTo !== null) return <SentLink email={sentTo} onBack={own === '' ? () => setSentTo(null) : null} />;
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <TextInput
          label="Full name"
          autoComplete="name"
          placeholder="Ada Okafor"
          maxLength={200}
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          placeholder="you@company.com"
          readOnly={own !== ''}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <NewPasswordInput
          label="Password"
          own={() => [form.getValues().name, form.getValues().email]}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="md" fullWidth loading={submission.isPending}>
          Sign Up
        </Button>
      </Stack>
    </form>
  );
}

function leadsTo(path: string): string {
  if (path === '' || path === '/dashboard') return 'Taking you to your dashboard.';
  if (path.startsWith('/invitation/')) return 'Taking you to your invitation.';
  if (path.startsWith('/reminders/new')) return 'Taking you to your reminder.';
  return 'Taking you back to your link.';
}

/** Stays longer than the toast: the account cannot be used before. */
const SentLink = ({ email, onBack }: { email: string; onBack: (() => void) | null }) => (
  <Stack gap={12}>
    <Title order={2}>Check your email</Title>
    <span>
      We sent a link to <strong>{email}</strong>. Follow it to verify your address, then you are signed in. Look in the
      spam folder, too.
    </span>
    {onBack && (
      <Button variant="default" fullWidth onClick={onBack}>
        Use another address
      </Button>
    )}
  </Stack>
);
