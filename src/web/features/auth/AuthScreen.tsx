import '@mantine/core/styles/PasswordInput.layer.css';
import { Card, Divider, Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { configQuery } from '#web/api/config.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { notifyError } from '#web/ui/notify.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { returnedError } from './auth-texts.ts';
import classes from './AuthScreen.module.css';
import { GoogleButton } from './GoogleButton.tsx';
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
        <p className={classes.tagline}>Never Miss a Thing</p>
      </div>
      <Card className={classes.card}>
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
