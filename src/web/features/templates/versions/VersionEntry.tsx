import { Button } from '@mantine/core';
import { IconRestore } from '@tabler/icons-react';
import type { TemplateVersion } from '#contract/template-versions.ts';
import { useRestoreVersion } from '#web/api/templates.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { DiffText } from './DiffText.tsx';
import classes from './VersionsDialog.module.css';
import { fieldsOf } from './version-words.ts';

type VersionEntryProps = {
  templateId: string;
  version: TemplateVersion;
  /** The previous version; null when there is none, or it is not loaded. */
  before: TemplateVersion | null;
  isCurrent: boolean;
};

export function VersionEntry({ templateId, version, before, isCurrent }: VersionEntryProps) {
  const { version: number, created_by: writer, created_at, restored_from: from } = version;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <h3 className={classes.title}>Version {number}</h3>
        {isCurrent && <ToneBadge word="Current" tone="good" />}
        <span className={classes.note}>
          {writer?.full_name || 'Unknown'} · <RelativeTime at={created_at} />
          {from !== null && ` · restored from version ${from}`}
        </span>
        {!isCurrent && <RestoreButton templateId={templateId} number={number} />}
      </div>
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
  const restore = async () => {
    try {
      const { version } = await mutateAsync(number);
      notifySuccess('Template updated', `Version ${number} has been restored as version ${version}`);
    } catch (error) {
      notifyFailure('Error saving template', error, 'An unexpected error occurred');
    }
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      className={classes.restore}
      leftSection={<IconRestore size={14} aria-hidden />}
      aria-label={`Restore version ${number}`}
      loading={isPending}
      onClick={() => void restore()}
    >
      Restore
    </Button>
  );
}
