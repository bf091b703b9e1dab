import type { Document } from '#pages/document.tsx';
import css from './legal.css?inline';
import { PrivacyPage } from './PrivacyPage.tsx';
import { TermsPage } from './TermsPage.tsx';

const common = { readers: 'all', css, script: null } as const;

/** What is stored about people, and on what terms the service is used. */
export const legalDocuments: readonly Document[] = [
  {
    ...common,
    path: '/privacy',
    title: 'Privacy Policy · Cuebird',
    description: 'Which data Cuebird stores, for how long, and who receives it.',
    body: <PrivacyPage />,
  },
  {
    ...common,
    path: '/terms',
    title: 'Terms of Service · Cuebird',
    description: 'The terms under which this installation of Cuebird is offered.',
    body: <TermsPage />,
  },
];
