import '@mantine/core/styles/Checkbox.layer.css';
import { Box, Checkbox } from '@mantine/core';
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
import { ImportProgress, ImportTable } from '#web/ui/ImportTable.tsx';
import prose from '#web/ui/prose.module.css';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';

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
        <p className={prose.plain} role="status">
          The file is empty: it has nothing but settings.
        </p>
      ) : (
        <div role="status">
          <ul aria-label={answer.mode === 'import' ? 'Imported' : 'Preview'}>
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
            <p className={prose.plain}>
              {answer.has_changed_settings ? 'These settings were taken over.' : 'The settings stayed as they were.'}
            </p>
          ) : (
            <Checkbox
              label={`Also take over ${settings.length === 1 ? 'the setting' : 'the settings'} that differ${settings.length === 1 ? 's' : ''}`}
              checked={takesSettings}
              onChange={({ currentTarget }) => onTakeSettings(currentTarget.checked)}
            />
          )}
          <Box component="ul" className={prose.note} pl={30} aria-label="Settings that differ">
            {settings.map(({ setting, from, to }) => (
              <li key={setting}>
                {setting}, from {from || 'blank'} to {to || 'blank'}
              </li>
            ))}
          </Box>
        </div>
      )}
      {progress?.status === 'running' && (
        <ImportProgress
          noun="items"
          all={progress.items}
          done={progress.items_done}
          note=". You may close this: the import goes on."
        />
      )}
    </>
  );
}

const nouns: Record<FileSection, { one: string; many: string }> = {
  channels: { one: 'Channel', many: 'Channels' },
  topics: { one: 'Topic', many: 'Topics' },
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
    <ImportTable label="Items" titles={['Result', 'Item']}>
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes its order
        <tr key={at}>
          <td>
            <ToneBadge {...looks[item.result]} />
          </td>
          <td>
            {item.name || 'Without a name'} <span className={prose.tiny}>{nouns[item.section].one}</span>
            {item.problems.length > 0 && (
              <Box component="ul" mt={2} data-mild={item.result !== 'refused'}>
                {item.problems.map(({ path, message }) => (
                  <li key={`${path} ${message}`}>
                    {path}: {message}
                  </li>
                ))}
              </Box>
            )}
          </td>
        </tr>
      ))}
      {!isComplete && (
        <tr>
          <td colSpan={2}>and more</td>
        </tr>
      )}
    </ImportTable>
  );
}
