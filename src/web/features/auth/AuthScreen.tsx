import { Card, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { returnPath } from '#web/features/admin-setup/return-path.ts';
import { Logo } from '#web/ui/Logo.tsx';
import { notifyError } from '#web/ui/notify.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import prose from '#web/ui/prose.module.css';
import { returnedError } from './auth-texts.ts';
import { AuthForms } from './AuthForms.tsx';
import classes from './AuthScreen.module.css';

const authRoute = getRouteApi('/themed/auth');

/** Sign in and sign up, without bar and footer. */
export function AuthScreen() {
  useDocumentTitle('Sign in');
  useReturnedError();
  const { tab, next } = authRoute.useSearch();
  const line = lineIn(next ?? returnPath() ?? '');
  return (
    <main className={classes.page}>
      <div className={classes.brand}>
        <Logo size={44} />
        <Title order={1}>Cuebird</Title>
        <p className={prose.dimParagraph}>Never Miss a Thing</p>
      </div>
      <Card w="100%" maw={400}>
        {line !== null && <p className={classes.line}>Your reminder waits: “{line}”</p>}
        <AuthForms tab={tab} next={next} />
      </Card>
    </main>
  );
}

/** The reminder in words that somebody wrote before they signed in; null for any other address. */
function lineIn(next: string): string | null {
  const [path, search] = next.split('?');
  return path === '/reminders/new' ? new URLSearchParams(search).get('line') : null;
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
