import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { audienceLimits, matchKey, Tag } from '#contract/audience.ts';
import { useContactTags } from '#web/api/contact-groups.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import prose from '#web/ui/prose.module.css';
import type { ContactSelection } from './contact-selection.ts';
import { useTagWithUndo } from './tag-with-undo.ts';
import { useWriteTo } from './use-write-to.ts';

type WriteByTagDialogProps = { selection: ContactSelection; opened: boolean; onClose: () => void };

/** Gives a new tag to more contacts than a reminder can name, and opens a reminder to that tag. */
export default function WriteByTagDialog({ selection, opened, onClose }: WriteByTagDialogProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { data: known = [] } = useContactTags();
  const { tag, isPending } = useTagWithUndo();
  const writeTo = useWriteTo();
  const submit = async () => {
    const parsed = Tag.safeParse(name);
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? null);
    const taken = known.find((one) => matchKey(one.tag) === matchKey(parsed.data));
    // Its contacts would get the reminder, too.
    if (taken !== undefined)
      return setProblem(
        `${counted(taken.contacts, 'contact')} ${taken.contacts === 1 ? 'has' : 'have'} this tag already: use another`,
      );
    if (!(await tag(selection, { change: 'add', tags: [parsed.data] }))) return;
    onClose();
    writeTo({ audience: { tags: [parsed.data] } });
  };
  const most = audienceLimits.contacts.toLocaleString('en');
  return (
    <Dialog title={`Write to ${counted(selection.count, 'contact')}`} opened={opened} onClose={onClose}>
      <DialogForm submitLabel="Tag and write" isSaving={isPending} onSubmit={submit} onCancel={onClose}>
        <p className={prose.dimParagraph}>
          A reminder names at most {most} contacts one by one. Give these a tag, and the reminder is sent to everyone
          who has it.
        </p>
        <TextInput
          label="Tag"
          data-autofocus
          placeholder="tenant"
          mt={16}
          mb={24}
          maxLength={audienceLimits.tag}
          autoComplete="off"
          value={name}
          error={problem}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setProblem(null);
          }}
        />
      </DialogForm>
    </Dialog>
  );
}
