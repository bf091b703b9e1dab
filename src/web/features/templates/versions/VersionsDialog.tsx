import { Box, Group, VisuallyHidden } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { TemplateVersion } from '#contract/template-versions.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { type NamedTemplate, useRestoreVersion, useTemplateVersions } from '#web/api/templates.ts';
import { act } from '#web/ui/act.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { RowsSkeleton } from '#web/ui/RowsSkeleton.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { diffWords } from './diff.ts';
import entries from '#web/ui/entries.module.css';
import classes from './VersionsDialog.module.css';

type VersionsDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** The versions of a template with their changes, and a button to restore one. */
export default function VersionsDialog({ template, opened, onClose }: VersionsDialogProps) {
  return (
    <Dialog title={`Versions of “${template.name}”`} opened={opened} onClose={onClose} width={680}>
      <Versions id={template.id} />
    </Dialog>
  );
}

function Versions({ id }: { id: string }) {
  const versions = useTemplateVersions(id);
  return (
    <Loaded
      of={versions}
      failed="Error loading the versions"
      skeleton={<RowsSkeleton label="Loading versions" count={3} />}
    >
      {(shown) => (
        <>
          <ol>
            {shown.map((version, at) => (
              <VersionEntry
                key={version.id}
                templateId={id}
                version={version}
                before={shown[at + 1] ?? null}
                isCurrent={at === 0}
              />
            ))}
          </ol>
          <LoadMore of={versions} />
        </>
      )}
    </Loaded>
  );
}

type VersionEntryProps = {
  templateId: string;
  version: TemplateVersion;
  /** The previous version; null when there is none, or it is not loaded. */
  before: TemplateVersion | null;
  isCurrent: boolean;
};

function VersionEntry({ templateId, version, before, isCurrent }: VersionEntryProps) {
  const { version: number, created_by: writer, created_at, restored_from: from } = version;
  return (
    <li className={entries.entry}>
      <Group gap="4px 8px" mih={28}>
        <Box component="h3" m={0} fz="sm">
          Version {number}
        </Box>
        {isCurrent && <ToneBadge word="Current" tone="good" />}
        <span className={entries.note}>
          {writer?.full_name || 'Unknown'} · <RelativeTime at={created_at} />
          {from !== null && ` · restored from version ${from}`}
        </span>
        {!isCurrent && <RestoreButton templateId={templateId} number={number} />}
      </Group>
      <Changes version={version} before={before} />
    </li>
  );
}

function Changes({ version, before }: Pick<VersionEntryProps, 'version' | 'before'>) {
  const fields = fieldsOf(version);
  const older = before === null ? null : fieldsOf(before);
  const shown = older === null ? fields.filter(({ text }) => text !== '') : changedFields(fields, older);
  return (
    <dl className={classes.fields}>
      {shown.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {older === null ? (
              text
            ) : (
              <DiffText before={older.find((one) => one.label === label)?.text ?? ''} after={text} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Fields = ReturnType<typeof fieldsOf>;

const changedFields = (fields: Fields, older: Fields): Fields =>
  fields.filter(({ label, text }) => older.find((one) => one.label === label)?.text !== text);

function RestoreButton({ templateId, number }: { templateId: string; number: number }) {
  const { mutateAsync, isPending } = useRestoreVersion(templateId);
  const restore = () =>
    act(mutateAsync(number), {
      done: ({ version }) => ['Template updated', `Version ${number} has been restored as version ${version}`],
      failed: 'Error saving template',
      fallback: 'An unexpected error occurred',
    });
  return (
    <SmallButton
      icon={IconRestore}
      className={classes.restore}
      aria-label={`Restore version ${number}`}
      loading={isPending}
      onClick={() => void restore()}
    >
      Restore
    </SmallButton>
  );
}

/**
 * The difference of two texts: removed text is struck through, added text is underlined; both are labelled for screen
 * readers.
 */
function DiffText({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return parts.map(({ kind, text }, at) => {
    switch (kind) {
      case 'same':
        return <span key={at}>{text}</span>;
      case 'removed':
        return (
          <Box key={at} component="del" bdrs="xs" c="var(--status-bad)" bg="var(--status-bad-ground)">
            <VisuallyHidden>removed: </VisuallyHidden>
            {text}
          </Box>
        );
      case 'added':
        return (
          <Box key={at} component="ins" bdrs="xs" c="var(--status-good)" bg="var(--status-good-ground)">
            <VisuallyHidden>added: </VisuallyHidden>
            {text}
          </Box>
        );
      default:
        return kind satisfies never;
    }
  });
}

/** The fields of a version as comparable texts, with their labels. */
const fieldsOf = ({ name, description, content, variables }: TemplateVersion) => [
  { label: 'Name', text: name },
  { label: 'Description', text: description },
  { label: 'Type', text: channelLooks[content.type].name },
  { label: 'Format', text: content.format === 'markdown' ? 'Markdown' : '' },
  { label: 'Subject', text: content.subject },
  { label: 'Message', text: content.body },
  { label: 'Variables', text: variables.variables.map(variableText).join('\n') },
];

function variableText(variable: TemplateVersion['variables']['variables'][number]): string {
  const { name, type, required, defaultValue, description } = variable;
  return [
    `${name} (${type}, ${required ? 'required' : 'optional'})`,
    ...(defaultValue === '' ? [] : [`default “${defaultValue}”`]),
    ...(description === '' ? [] : [description]),
  ].join(', ');
}
