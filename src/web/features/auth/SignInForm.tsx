import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type SignIn, signIn } from '#web/api/sign-in.ts';
import { TextLink } from '#web/ui/links.tsx';
import { clearToasts, notifyError } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { authText, refusedField, texts } from './auth-texts.ts';
import { useEnter } from './enter.ts';
import { filled, focusFirst } from './filled.ts';

const afterSignInMs = 100;

/** @param props.next where it leads; the dashboard when left out */
export function SignInForm({ next }: { next: string | undefined }) {
  const enter = useEnter();
  const form = useForm<SignIn>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: { email: filled, password: filled },
  });
  const submission = useMutation({
    onMutate: clearToasts,
    mutationFn: async (values: SignIn) => {
      await signIn(values);
      await enter(afterSignInMs, next);
    },
    onError: (error) => {
      notifyError('Sign in failed', authText(error));
      if (authText(error) === texts.wrongCredentials) {
        // Nobody is told which of both it is.
        form.setErrors({ email: true, password: true });
        form.getInputNode('password')?.focus();
        return;
      }
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
      return notifyError('Error', texts.fillAllFields);
    }
    const { email, password } = form.getValues();
    // Its errors are shown by the mutation.
    await submission.mutateAsync({ email: email.trim(), password }).catch(() => {});
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          placeholder="you@company.com"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          // Mantine leaves it out here.
          aria-invalid={form.errors.password ? true : undefined}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <TextLink to="/auth/forgot-password" size="sm">
          Forgot your password?
        </TextLink>
        <Button type="submit" size="md" fullWidth loading={submission.isPending}>
          Sign In
        </Button>
      </Stack>
    </form>
  );
}
