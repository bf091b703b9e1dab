import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { audienceLimits, Tags, withoutTwice } from '#contract/audience.ts';
import { useContactTags } from '#web/api/contact-groups.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import type { ContactSelection } from './contact-selection.ts';
import { useTagWithUndo } from './tag-with-undo.ts';

type TagDialogProps = {
  selection: ContactSelection;
  change: 'add' | 'remove';
  opened: boolean;
  onClose: () => void;
};

/** Adds tags to the selected contacts, or removes them. */
export default function TagDialog({ selection, change, opened, onClose }: TagDialogProps) {
  const [tags, setTags] = useState<string[]>([]);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { data = [] } = useContactTags();
  const { tag, isPending } = useTagWithUndo();
  const count = counted(selection.count, 'contact');
  const choose = (next: string[]) => {
    setTags(withoutTwice(next));
    setProblem(null);
  };
  const submit = async () => {
    // What is typed and not entered yet is meant, too.
    const wished = Tags.safeParse([...tags, ...(change === 'add' && typed.trim() !== '' ? [typed] : [])]);
    if (!wished.success) return setProblem(wished.error.issues[0]?.message ?? null);
    if (wished.data.length === 0) return setProblem('Enter a tag');
    if (await tag(selection, { change, tags: wished.data })) onClose();
  };
  const field = {
    label: 'Tags',
    'data-autofocus': true,
    data: data.map((one) => one.tag),
    value: tags,
    onChange: choose,
    searchValue: typed,
    onSearchChange: setTyped,
    error: problem,
    maxDropdownHeight: 220,
    mb: 24,
  };
  return (
    <Dialog
      title={change === 'add' ? `Add tags to ${count}` : `Remove tags from ${count}`}
      opened={opened}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={change === 'add' ? 'Add tags' : 'Remove tags'}
        isSaving={isPending}
        onSubmit={submit}
        onCancel={onClose}
      >
        {change === 'add' ? (
          <TagsInput
            {...field}
            description="Choose a tag, or type a new one."
            placeholder={tags.length === 0 ? 'tenant' : undefined}
            maxTags={audienceLimits.tagsOfContact}
            maxLength={audienceLimits.tag}
            splitChars={[',', ';']}
          />
        ) : (
          <MultiSelect
            {...field}
            searchable
            placeholder={tags.length === 0 ? 'Choose tags' : undefined}
            nothingFoundMessage={data.length === 0 ? 'No contact has a tag' : 'No such tag'}
            maxValues={audienceLimits.tagsOfContact}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
