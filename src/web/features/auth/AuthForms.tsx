import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, Divider, PasswordInput, Stack, Tabs, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { configQuery } from '#web/api/config.ts';
import { googleSignInUrl, type SignIn, signIn } from '#web/api/sign-in.ts';
import { TextLink } from '#web/ui/links.tsx';
import { clearToasts, notifyError } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { authText, googleText, refusedField, texts } from './auth-texts.ts';
import { useEnter } from './enter.ts';
import { filled, focusFirst } from './filled.ts';
import { type AuthFormProps, SignUpForm } from './SignUpForm.tsx';

/** Sign in and sign up; with Google where the installation has its keys. */
export function AuthForms({ tab = 'sign-in', ...of }: AuthFormProps & { tab?: 'sign-in' | 'sign-up' | undefined }) {
  const hasGoogle = useQuery(configQuery).data?.google === true;
  return (
    <>
      {hasGoogle && (
        <>
          <GoogleButton onBegin={of.onBegin} />
          <Divider my={20} label="or" />
        </>
      )}
      <Tabs key={tab} defaultValue={tab} keepMounted={false}>
        <Tabs.List grow mb={20}>
          <Tabs.Tab value="sign-in">Sign In</Tabs.Tab>
          <Tabs.Tab value="sign-up">Sign Up</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sign-in">
          <SignInForm {...of} />
        </Tabs.Panel>
        <Tabs.Panel value="sign-up">
          <SignUpForm {...of} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

const title = 'Google Sign-in Error';

/** Opens Google's consent page. */
function GoogleButton({ onBegin }: Pick<AuthFormProps, 'onBegin'>) {
  const signIn = useMutation({
    onMutate: () => {
      clearToasts();
      onBegin?.();
    },
    mutationFn: googleSignInUrl,
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => notifyError(title, googleText(error)),
  });
  return (
    <Button
      variant="default"
      fullWidth
      size="md"
      leftSection={<GoogleMark />}
      loading={signIn.isPending || signIn.isSuccess}
      onClick={() => signIn.mutate()}
    >
      Continue with Google
    </Button>
  );
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 48 48" width={18} height={18} aria-hidden>
      <path
        fill="#4285f4"
        d="M45.1 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.8a10.1 10.1 0 0 1-4.4 6.6v5.5h7.1c4.2-3.8 6.6-9.5 6.6-16.1z"
      />
      <path
        fill="#34a853"
        d="M24 46c5.9 0 10.9-2 14.5-5.4l-7.1-5.5c-2 1.3-4.5 2.1-7.4 2.1-5.7 0-10.5-3.9-12.3-9H4.4v5.7A22 22 0 0 0 24 46z"
      />
      <path fill="#fbbc05" d="M11.7 28.2a13.2 13.2 0 0 1 0-8.4v-5.7H4.4a22 22 0 0 0 0 19.8l7.3-5.7z" />
      <path
        fill="#ea4335"
        d="M24 10.8c3.2 0 6.1 1.1 8.4 3.3l6.3-6.3A22 22 0 0 0 4.4 14.1l7.3 5.7c1.8-5.2 6.6-9 12.3-9z"
      />
    </svg>
  );
}

const afterSignInMs = 100;

function SignInForm({ next, email: own = '', onBegin }: AuthFormProps) {
  const enter = useEnter();
  const form = useForm<SignIn>({
    mode: 'uncontrolled',
    initialValues: { email: own, password: '' },
    validate: { email: filled, password: filled },
  });
  const submission = useMutation({
    onMutate: clearToasts,
    mutationFn: async (values: SignIn) => {
      onBegin?.();
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
      return void notifyError('Error', texts.fillAllFields);
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
          readOnly={own !== ''}
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
