import { contactLimits } from '#contract/contacts.ts';
import { useContactTags } from '#web/api/contact-groups.ts';
import ImportDialog from '#web/features/contacts/ImportDialog.tsx';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { newTag } from './new-tag.ts';

type ImportPeopleProps = {
  opened: boolean;
  onClose: () => void;
  /** `from`: the name of the file, null for pasted text. */
  given: { text: string; from: string | null };
  onChosen: (tag: string) => void;
  onUndone: (tag: string) => void;
};

/** Imports a table of people as contacts, with a tag that nobody has yet: it names them as the reminder's audience. */
export default function ImportPeople({ given: { text, from }, ...dialog }: ImportPeopleProps) {
  const { name } = useReminderFormContext().getValues();
  const { data: tags, isError } = useContactTags();
  if (tags === undefined && !isError) return null;
  const taken = tags?.map(({ tag }) => tag) ?? [];
  return (
    <ImportDialog
      {...dialog}
      given={{
        csv: text,
        fileName: from?.slice(0, contactLimits.fileName) ?? null,
        tag: newTag(from?.replace(/\.[^.]*$/, '') ?? name, taken),
      }}
    />
  );
}
