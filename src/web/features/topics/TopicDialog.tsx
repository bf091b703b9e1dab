import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import { Checkbox, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Topic, TopicInput, topicLimits, topicReasons } from '#contract/topics.ts';
import { ApiError } from '#web/api/client.ts';
import { useCreateTopic, useUpdateTopic } from '#web/api/topics.ts';
import { act } from '#web/ui/act.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { Notice } from '#web/ui/Notice.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { reasonWords } from './topic-words.ts';

type TopicDialogProps = {
  workspaceId: string;
  /** Null creates one. */
  topic: Topic | null;
  /** All topics of the workspace. */
  topics: readonly Topic[];
  opened: boolean;
  onClose: () => void;
};

type Draft = Pick<Topic, 'name' | 'kind' | 'why' | 'is_default'>;

const empty: Draft = { name: '', kind: 'optional', why: null, is_default: false };

/** Creates a topic, or edits the given one. */
export function TopicDialog({ workspaceId, topic, topics, opened, onClose }: TopicDialogProps) {
  const create = useCreateTopic(workspaceId);
  const update = useUpdateTopic(workspaceId);
  const before = topic ?? empty;
  const [draft, setDraft] = useState<Draft>(before);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const change = (changed: Partial<Draft>) => {
    setDraft({ ...draft, ...changed });
    setErrors({});
  };

  const submit = useSubmit(async () => {
    if (draft.kind === 'required' && draft.why === null) return setErrors({ why: 'Choose the reason' });
    const input = inputOf(draft);
    const parsed = TopicInput.safeParse(input);
    if (!parsed.success) return setErrors(fieldErrors(parsed.error.issues));
    const saving =
      topic === null ? create.mutateAsync(input) : update.mutateAsync({ id: topic.id, ...changesOf(draft, topic) });
    const isSaved = await act(saving, {
      done: ({ name }) => [topic === null ? 'Topic created' : 'Topic saved', name],
      failed: 'Error saving the topic',
      refused: (error) => {
        if (!(error instanceof ApiError)) return false;
        if (error.fields.length > 0) setErrors(fieldErrors(error.fields));
        else if (error.status === 409) setErrors({ name: error.message });
        else return false;
        return true;
      },
    });
    if (isSaved) onClose();
  });

  return (
    <FormDialog
      title={topic === null ? 'New topic' : `Edit ${topic.name}`}
      opened={opened}
      width={520}
      isDirty={() => keys.some((key) => draft[key] !== before[key])}
      onClose={onClose}
    >
      {(leave) => (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <TextInput
              label="Name"
              description="People see it where they unsubscribe."
              placeholder="Events"
              required
              maxLength={topicLimits.name}
              autoComplete="off"
              value={draft.name}
              error={errors.name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
              data-autofocus
            />
            <KindField topic={topic} draft={draft} error={errors.kind} onChange={change} />
            {draft.kind === 'required' && (
              <Select
                label="Why you have to send it"
                description="Each mail gives the reason."
                placeholder="Choose the reason"
                required
                data={topicReasons.map((value) => ({ value, label: reasonWords[value].label }))}
                value={draft.why}
                error={errors.why}
                onChange={(value) => change({ why: topicReasons.find((known) => known === value) ?? null })}
                allowDeselect={false}
              />
            )}
            {draft.kind === 'optional' && <DefaultField {...{ topic, topics, draft }} onChange={change} />}
            <FormButtons onCancel={leave} isBusy={create.isPending || update.isPending}>
              {topic === null ? 'Create topic' : 'Save topic'}
            </FormButtons>
          </Stack>
        </form>
      )}
    </FormDialog>
  );
}

const keys = ['name', 'kind', 'why', 'is_default'] as const;

const inputOf = ({ name, kind, why, is_default: isDefault }: Draft) =>
  kind === 'required' && why !== null ? { name, kind, why } : { name, kind, is_default: isDefault };

/** Only what was changed: what somebody else saved meanwhile stays. */
function changesOf({ name, kind, why, is_default: isDefault }: Draft, before: Topic) {
  return {
    ...(name !== before.name && { name }),
    ...(kind === 'optional' && before.kind === 'required' && { kind }),
    ...(kind === 'required' && why !== null && why !== before.why && { why }),
    ...(kind === 'optional' && isDefault !== before.is_default && { is_default: isDefault }),
  };
}

type KindFieldProps = {
  topic: Topic | null;
  draft: Draft;
  error: string | undefined;
  onChange: (changed: Partial<Draft>) => void;
};

/** Whether people can leave it. What they could leave never becomes required. */
function KindField({ topic, draft, error, onChange }: KindFieldProps) {
  if (topic?.kind === 'optional')
    return (
      <Text c="dimmed">
        Optional: people can leave it. It cannot become required, because people may have left it. For what you have to
        send, create another topic.
      </Text>
    );
  const choose = (kind: string) =>
    onChange(
      kind === 'required' ? { kind, why: topic?.why ?? null, is_default: false } : { kind: 'optional', why: null },
    );
  return (
    <>
      <Radio.Group label="Can people leave it?" value={draft.kind} error={error} onChange={choose}>
        <Stack gap={10} mt={8}>
          <Radio value="optional" label="Optional" description="Each mail has a link by which people leave it." />
          <Radio value="required" label="Required" description="Nobody can leave it. Only for what you have to send." />
        </Stack>
      </Radio.Group>
      {topic !== null && draft.kind === 'optional' ? (
        <Notice>
          This cannot be taken back: an optional topic never becomes required again. Whoever has left all optional
          messages no longer gets it.
        </Notice>
      ) : (
        draft.kind === 'required' && (
          <Notice>
            People cannot unsubscribe from this topic. You can make it optional later, but then never required again.
          </Notice>
        )
      )}
    </>
  );
}

type DefaultFieldProps = Pick<TopicDialogProps, 'topic' | 'topics'> & Pick<KindFieldProps, 'draft' | 'onChange'>;

function DefaultField({ topic, topics, draft, onChange }: DefaultFieldProps) {
  const other = topics.find((one) => one.is_default && one.id !== topic?.id);
  return (
    <Checkbox
      label="Preselected for new reminders"
      description={other !== undefined && draft.is_default ? `In place of ${other.name}.` : undefined}
      checked={draft.is_default}
      onChange={({ currentTarget }) => onChange({ is_default: currentTarget.checked })}
    />
  );
}
