import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Progress.layer.css';
import { Checkbox, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCheck, type IconProps, IconPlus } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import {
  type FileImport,
  type FileImportProgress,
  type FileItem,
  type FileResult,
  type FileSection,
  fileSections,
} from '#contract/workspace-files.ts';
import type { Tone } from '#web/app/theme.ts';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from './workspace-file.module.css';

type FileImportViewProps = {
  answer: FileImport;
  takesSettings: boolean;
  /** Null once it is done. */
  onTakeSettings: ((takes: boolean) => void) | null;
  /** The import that goes on. */
  progress: FileImportProgress | null;
};

/** What an import makes, or has made. */
export function FileImportView({ answer, takesSettings, onTakeSettings, progress }: FileImportViewProps) {
  const { counts, settings, items } = answer;
  const filled = fileSections.filter((section) => Object.values(counts[section]).some((count) => count > 0));
  return (
    <>
      {filled.length === 0 ? (
        <p className={classes.plain} role="status">
          The file is empty: it has nothing but settings.
        </p>
      ) : (
        <div role="status">
          <ul className={classes.counts} aria-label={answer.mode === 'import' ? 'Imported' : 'Preview'}>
            {filled.map((section) => (
              <li key={section}>
                <strong>{nouns[section].many}</strong>: {countsInWords(counts[section])}
              </li>
            ))}
          </ul>
        </div>
      )}
      {items.length > 0 && <Items items={items} isComplete={answer.is_complete} />}
      {settings.length > 0 && (
        <div>
          {onTakeSettings === null ? (
            <p className={classes.plain}>
              {answer.has_changed_settings ? 'These settings were taken over.' : 'The settings stayed as they were.'}
            </p>
          ) : (
            <Checkbox
              label={`Also take over ${settings.length === 1 ? 'the setting' : 'the settings'} that differ${settings.length === 1 ? 's' : ''}`}
              checked={takesSettings}
              onChange={({ currentTarget }) => onTakeSettings(currentTarget.checked)}
            />
          )}
          <ul className={classes.settings} aria-label="Settings that differ">
            {settings.map(({ setting, from, to }) => (
              <li key={setting}>
                {setting}, from {from || 'blank'} to {to || 'blank'}
              </li>
            ))}
          </ul>
        </div>
      )}
      {progress?.status === 'running' && (
        <div className={classes.progress}>
          <Progress.Root size="sm">
            <Progress.Section
              value={progress.items === 0 ? 0 : (100 * progress.items_done) / progress.items}
              aria-label="Items that are imported"
              aria-valuetext={progressInWords(progress)}
            />
          </Progress.Root>
          <span>{progressInWords(progress)}. You may close this: the import goes on.</span>
        </div>
      )}
    </>
  );
}

const progressInWords = ({ items, items_done: done }: FileImportProgress) =>
  `${done.toLocaleString('en')} of ${items.toLocaleString('en')} items`;

const nouns: Record<FileSection, { one: string; many: string }> = {
  channels: { one: 'Channel', many: 'Channels' },
  template_categories: { one: 'Template category', many: 'Template categories' },
  templates: { one: 'Template', many: 'Templates' },
  contact_groups: { one: 'Group', many: 'Groups' },
  contacts: { one: 'Contact', many: 'Contacts' },
  suppressions: { one: 'Suppression', many: 'Suppressions' },
  reminders: { one: 'Reminder', many: 'Reminders' },
};

const looks: Record<FileResult, { word: string; tone: Tone; icon: ComponentType<IconProps> }> = {
  created: { word: 'New', tone: 'good', icon: IconPlus },
  existing: { word: 'There already', tone: 'quiet', icon: IconCheck },
  refused: { word: 'Left out', tone: 'bad', icon: IconAlertTriangle },
};

const countsInWords = (counts: FileImport['counts'][FileSection]) =>
  (['created', 'existing', 'refused'] as const)
    .filter((result) => counts[result] > 0)
    .map((result) => `${counts[result].toLocaleString('en')} ${looks[result].word.toLowerCase()}`)
    .join(', ');

function Items({ items, isComplete }: { items: readonly FileItem[]; isComplete: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach scrollable content
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Items">
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Result</th>
            <th>Item</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes its order
            <tr key={at}>
              <td>
                <ToneBadge {...looks[item.result]} />
              </td>
              <td>
                {item.name || 'Without a name'} <span className={classes.kind}>{nouns[item.section].one}</span>
                {item.problems.length > 0 && (
                  <ul className={classes.problems} data-mild={item.result !== 'refused'}>
                    {item.problems.map(({ path, message }) => (
                      <li key={`${path} ${message}`}>
                        {path}: {message}
                      </li>
                    ))}
                  </ul>
                )}
              </td>
            </tr>
          ))}
          {!isComplete && (
            <tr>
              <td colSpan={2}>and more</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
