import type { contactImportRoutes } from '#contract/contact-imports.ts';
import type { contactRoutes } from '#contract/contacts.ts';
import * as contacts from '#features/contacts/contacts.service.ts';
import { exportContacts } from '#features/contacts/export.service.ts';
import { importContacts, saveContacts, undoImport } from '#features/contacts/import.service.ts';
import { listImports, previewUndo } from '#features/contacts/imports.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const contactHandlers = ({
  secrets,
}: {
  secrets: SecretBox;
}): HandlersOf<typeof contactRoutes & typeof contactImportRoutes> => ({
  listContacts: ({ ctx, query }) => contacts.listContacts(ctx, query),
  countContacts: async ({ ctx, query }) => ({ contacts: await contacts.countContacts(ctx, query) }),
  createContact: ({ ctx, body }) => contacts.createContact(ctx, body),
  updateContact: ({ ctx, params, body }) => contacts.updateContact(ctx, { id: params.id, input: body }),
  listContactVariables: async ({ ctx }) => ({ data: await contacts.listVariableNames(ctx) }),
  deleteContact: ({ ctx, params }) => contacts.deleteContact(ctx, params.id),
  deleteContacts: async ({ ctx, body }) => ({ deleted: await contacts.deleteContacts(ctx, body) }),
  listContactTags: async ({ ctx }) => ({ data: await contacts.listTags(ctx) }),
  tagContacts: ({ ctx, body }) => contacts.tagContacts(ctx, body),
  saveContacts: ({ ctx, body }) => saveContacts(ctx, body.contacts),
  importContacts: ({ ctx, body }) => importContacts(ctx, { ...body, secrets }),
  undoImport: ({ ctx, params }) => undoImport(ctx, params.id),
  previewUndo: ({ ctx, params }) => previewUndo(ctx, params.id),
  listImports: ({ ctx }) => listImports(ctx),
  exportContacts: ({ ctx }) => exportContacts(ctx),
});
