import '@mantine/core/styles/PasswordInput.layer.css';
import { Card, Divider, Tabs, Title } from '@mantine/core';
import { Logo } from '#web/ui/Logo.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import classes from './AuthScreen.module.css';
import { GoogleButton } from './GoogleButton.tsx';
import { SignInForm } from './SignInForm.tsx';
import { SignUpForm } from './SignUpForm.tsx';

/** Sign in and sign up, without bar and footer. */
export function AuthScreen() {
  useDocumentTitle('Sign in');
  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <Logo size={44} />
        <Title order={1}>Cuebird</Title>
        <p className={classes.tagline}>Never Miss a Thing</p>
      </div>
      <Card className={classes.card}>
        <GoogleButton />
        <Divider my={20} label="or" />
        <Tabs defaultValue="sign-in" keepMounted={false}>
          <Tabs.List grow mb={20}>
            <Tabs.Tab value="sign-in">Sign In</Tabs.Tab>
            <Tabs.Tab value="sign-up">Sign Up</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="sign-in">
            <SignInForm />
          </Tabs.Panel>
          <Tabs.Panel value="sign-up">
            <SignUpForm />
          </Tabs.Panel>
        </Tabs>
      </Card>
    </main>
  );
}
