import type { Document } from '#pages/document.tsx';
import formCss from '#pages/form.css?inline';
import css from './support.css?inline';
import { SupportPage } from './SupportPage.tsx';

/** Help for everybody, with or without an account. */
export const supportDocuments = (script: string): Document[] =>
  (['signed-in', 'signed-out'] as const).map((readers) => ({
    path: '/support',
    readers,
    title: 'Support · Cuebird',
    description: 'What works at the moment, answers to common questions, and a form that reaches support.',
    css: formCss + css,
    script,
    body: <SupportPage isSignedIn={readers === 'signed-in'} />,
  }));
