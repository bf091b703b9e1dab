import { docsDocuments } from './docs/docs-documents.tsx';
import type { Entry } from './docs/search.ts';
import { type Document, drawDocument } from './document.tsx';
import { landingDocuments } from './landing/landing-documents.tsx';
import { legalDocuments } from './legal/legal-documents.tsx';
import { supportDocuments } from './support/support-documents.tsx';

export type Page = Pick<Document, 'path' | 'readers'> & { html: string };

export type Sources = {
  /** The URLs of the scripts, which contain a hash of their content. */
  scripts: { landing: string; docs: string; support: string };
  /** The URL of the typeface. */
  font: string;
  /** Returns the text of a file in `docs/`. */
  read: (file: string) => string;
  /** Stores the search index, and returns its URL. */
  storeIndex: (entries: readonly Entry[]) => string;
};

/** Draws every page that works without a script. */
export function drawPages({ scripts, font, read, storeIndex }: Sources): Promise<Page[]> {
  const documents = [
    ...landingDocuments(scripts.landing),
    ...docsDocuments({ script: scripts.docs, read, storeIndex }),
    ...legalDocuments,
    ...supportDocuments(scripts.support),
  ];
  return Promise.all(
    documents.map(async (one) => ({ path: one.path, readers: one.readers, html: await drawDocument(one, font) })),
  );
}
