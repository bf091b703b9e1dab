import type { Document } from '#pages/document.tsx';
import formCss from '#pages/form.css?inline';
import css from './landing.css?inline';
import { LandingPage } from './LandingPage.tsx';

/** The page at `/`, for who is signed in and for who is not. */
export const landingDocuments = (script: string): Document[] =>
  (['signed-in', 'signed-out'] as const).map((readers) => ({
    path: '/',
    readers,
    title: 'Reminders for teams: Never Miss a Thing · Cuebird',
    description:
      'Write a reminder once: Cuebird delivers it on time over email, SMS, WhatsApp, Slack, push and webhooks, to everybody, and can prove it.',
    css: formCss + css,
    script,
    body: <LandingPage isSignedIn={readers === 'signed-in'} />,
  }));
