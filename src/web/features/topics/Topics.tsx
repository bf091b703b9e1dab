import { Button, Text } from '@mantine/core';
import { IconMessage, IconShieldLock, IconPlus } from '@tabler/icons-react';
import { type Topic, topicLimits } from '#contract/topics.ts';
import { counted } from '#domain/in-words.ts';
import { useTopicsOf, useUpdateTopic } from '#web/api/topics.ts';
import { act } from '#web/ui/act.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { List } from '#web/ui/List.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import { RecordSection } from '#web/ui/Record.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { TopicDialog } from './TopicDialog.tsx';
import { kindText, usesText } from './topic-words.ts';

type Asked = { to: 'create' } | { to: 'edit' | 'archive'; topic: Topic };

type TopicsProps = { workspaceId: string /** Owners and admins. */; mayChange: boolean };

/** What the messages of a workspace can be about. Members see it. */
export default function Topics({ workspaceId, mayChange }: TopicsProps) {
  const found = useTopicsOf(workspaceId);
  const update = useUpdateTopic(workspaceId);
  const { state, dialog: shown, open } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const topics = found.data ?? [];
  const dialog = { workspaceId, topics, ...shown };
  const isFull = topics.length >= topicLimits.perWorkspace || topics.filter(isCurrent).length >= topicLimits.unarchived;
  const restore = ({ id, name }: Topic) =>
    void act(update.mutateAsync({ id, is_archived: false }), {
      done: ['Topic restored', `${name} can be chosen again.`],
      failed: 'Error restoring the topic',
    });
  return (
    <>
      <RecordSection
        title="Topics"
        aside={
          mayChange && (
            <Button
              size="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={isFull}
              onClick={() => open({ to: 'create' })}
            >
              New topic
            </Button>
          )
        }
      >
        <Text px="var(--gutter)" pb={14} c="dimmed">
          A topic says what a message is about. People can leave an optional topic and still get the others; what your
          contract, the law or their safety demands is required, and nobody can leave it.
          {!mayChange && ' Owners and admins change topics.'}
          {isFull &&
            ` A workspace has at most ${topicLimits.unarchived} topics, and ${topicLimits.perWorkspace} with the archived ones.`}
        </Text>
        <List
          isPart
          noun="topics"
          of={found}
          cardClass={list.entry}
          card={(topic) => (
            <Row
              topic={topic}
              mayChange={mayChange}
              isBusy={update.isPending}
              onAsk={(to) => open({ to, topic })}
              onRestore={() => restore(topic)}
            />
          )}
          empty={{
            icon: IconMessage,
            title: 'No topics yet',
            sentence:
              'With topics such as “Notices”, “Rent” or “Events”, somebody who leaves the events still gets the notices.',
          }}
        />
      </RecordSection>
      {asked?.to === 'create' && <TopicDialog key={openCount} topic={null} {...dialog} />}
      {asked?.to === 'edit' && <TopicDialog key={openCount} topic={asked.topic} {...dialog} />}
      {asked?.to === 'archive' && <ArchiveDialog key={openCount} topic={asked.topic} {...dialog} />}
    </>
  );
}

const isCurrent = ({ archived_at: at }: Topic) => at === null;

type RowProps = {
  topic: Topic;
  mayChange: boolean;
  isBusy: boolean;
  onAsk: (to: 'edit' | 'archive') => void;
  onRestore: () => void;
};

function Row({ topic, mayChange, isBusy, onAsk, onRestore }: RowProps) {
  const { name, kind, is_default: isDefault } = topic;
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <>
      <span className={list.words}>
        <span className={list.title}>
          <span className={list.name}>{name}</span>
          <ToneBadge word={kindText(topic)} tone="quiet" icon={kind === 'required' ? IconShieldLock : undefined} />
          {isDefault && <ToneBadge word="Default" tone="good" />}
          {!isCurrent(topic) && <ToneBadge word="Archived" tone="quiet" />}
        </span>
        <span className={prose.note}>{usesText(topic)}</span>
      </span>
      {mayChange && (
        <span className={prose.actions}>
          {isCurrent(topic) ? (
            <>
              <Button {...small} aria-label={`Edit ${name}`} onClick={() => onAsk('edit')}>
                Edit
              </Button>
              <Button {...small} aria-label={`Archive ${name}`} onClick={() => onAsk('archive')}>
                Archive
              </Button>
            </>
          ) : (
            <Button {...small} aria-label={`Restore ${name}`} disabled={isBusy} onClick={onRestore}>
              Restore
            </Button>
          )}
        </span>
      )}
    </>
  );
}

type ArchiveDialogProps = { workspaceId: string; topic: Topic; opened: boolean; onClose: () => void };

function ArchiveDialog({ workspaceId, topic: { id, name, reminders }, opened, onClose }: ArchiveDialogProps) {
  const { mutateAsync } = useUpdateTopic(workspaceId);
  return (
    <ActDialog
      title={`Archive ${name}?`}
      confirmLabel="Archive topic"
      color="cue"
      run={() => mutateAsync({ id, is_archived: true })}
      done={['Topic archived', `${name} cannot be chosen any more.`]}
      failed="Error archiving the topic"
      removesOpener
      opened={opened}
      onClose={onClose}
    >
      It cannot be chosen any more.{' '}
      {reminders > 0 && `${counted(reminders, 'reminder')} ${reminders === 1 ? 'goes' : 'go'} on with it. `}
      Whoever has left it stays so. You can restore it.
    </ActDialog>
  );
}
