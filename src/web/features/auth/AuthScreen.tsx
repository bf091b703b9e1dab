import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, Card, Divider, Tabs, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { configQuery } from '#web/api/config.ts';
import { googleSignInUrl } from '#web/api/sign-in.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { clearToasts, notifyError } from '#web/ui/notify.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { googleText, returnedError } from './auth-texts.ts';
import prose from '#web/ui/prose.module.css';
import classes from './AuthScreen.module.css';
import { SignInForm } from './SignInForm.tsx';
import { SignUpForm } from './SignUpForm.tsx';

const authRoute = getRouteApi('/themed/auth');

/** Sign in and sign up, without bar and footer; with Google where the installation has its keys. */
export function AuthScreen() {
  useDocumentTitle('Sign in');
  useReturnedError();
  const hasGoogle = useQuery(configQuery).data?.google === true;
  const { tab, next } = authRoute.useSearch();
  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <Logo size={44} />
        <Title order={1}>Cuebird</Title>
        <p className={prose.dimParagraph}>Never Miss a Thing</p>
      </div>
      <Card w="100%" maw={400}>
        {hasGoogle && (
          <>
            <GoogleButton />
            <Divider my={20} label="or" />
          </>
        )}
        <Tabs key={tab} defaultValue={tab ?? 'sign-in'} keepMounted={false}>
          <Tabs.List grow mb={20}>
            <Tabs.Tab value="sign-in">Sign In</Tabs.Tab>
            <Tabs.Tab value="sign-up">Sign Up</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sign-in">
            <SignInForm next={next} />
          </Tabs.Panel>
          <Tabs.Panel value="sign-up">
            <SignUpForm next={next} />
          </Tabs.Panel>
        </Tabs>
      </Card>
    </main>
  );
}

/** Shows the error of a link, from Google or a mail, once and removes it from the URL, so that a reload does not repeat it. */
function useReturnedError(): void {
  const { error } = authRoute.useSearch();
  const navigate = authRoute.useNavigate();
  useEffect(() => {
    if (!error) return;
    const returned = returnedError(error);
    notifyError(returned.title, returned.text);
    void navigate({ search: ({ tab, next }) => ({ tab, next }), replace: true });
  }, [error, navigate]);
}

const title = 'Google Sign-in Error';

/** Opens Google's consent page. */
function GoogleButton() {
  const signIn = useMutation({
    onMutate: clearToasts,
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
