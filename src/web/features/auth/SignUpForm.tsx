import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type SignUp, signUp } from '#web/api/sign-in.ts';
import { returnPath } from '#web/features/admin-setup/return-path.ts';
import { clearToasts, notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { authText, refusedField, texts, tooShortText } from './auth-texts.ts';
import { useEnter } from './enter.ts';
import { filled } from './filled.ts';
import { NewPasswordInput } from './password/NewPasswordInput.tsx';
import { useMinPasswordLength } from './password/min-length.ts';

const afterSignUpMs = 1000;
const failureTitle = 'Sign up failed';

export function SignUpForm() {
  const enter = useEnter();
  const minLength = useMinPasswordLength();
  const form = useForm<SignUp>({
    mode: 'uncontrolled',
    initialValues: { name: '', email: '', password: '' },
    validate: {
      name: filled,
      email: filled,
      password: (password) => filled(password) ?? (password.length < minLength ? tooShortText(minLength) : null),
    },
  });
  const submission = useMutation({
    onMutate: clearToasts,
    mutationFn: async (values: SignUp) => {
      const { verified } = await signUp(values);
      if (!verified) return notifySuccess('Check your email', 'We sent you a link. Follow it to verify your address.');
      notifySuccess(
        'Account created',
        returnPath()?.startsWith('/invitation/') ? 'Taking you to your invitation.' : 'Taking you to your dashboard.',
      );
      await enter(afterSignUpMs);
    },
    onError: (error) => {
      notifyError(failureTitle, authText(error));
      const field = refusedField(error);
      if (field === null) return;
      form.setFieldError(field, authText(error));
      form.getInputNode(field)?.focus();
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => submission.mutate({ ...values, name: values.name.trim(), email: values.email.trim() }),
        (errors) =>
          notifyError(
            failureTitle,
            Object.values(errors).includes('Required') ? texts.fillAllFields : tooShortText(minLength),
          ),
      )}
    >
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
