import { Box, Button, Input, Select, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowRight,
  IconArrowsJoin,
  IconCheck,
  IconMinus,
  IconPencil,
  IconPlus,
  type IconProps,
} from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { counted } from '#domain/in-words.ts';
import type { ColumnChoice, ContactImport, ImportAnswer, ImportColumn, ImportRow } from '#contract/contact-imports.ts';
import type { Tone } from '#web/app/theme.ts';
import { DialogFooter } from '#web/ui/DialogForm.tsx';
import { ImportProgress, ImportTable } from '#web/ui/ImportTable.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { countsInWords, undoInWords } from './contact-words.ts';
import { CountryField } from './CountryField.tsx';
import { TagsField } from './TagsField.tsx';
import classes from './dialogs.module.css';
import { type ConsentDraft, ImportConsentFields, noConsent } from './ImportConsentFields.tsx';
import { UndoImportDialog } from './UndoImportDialog.tsx';
import { ImportFindings, type ImportFindingsProps, JoinButton } from './ImportFindings.tsx';
import { isJoinedByChoice } from './import-findings.ts';
import { fieldChoices, fieldInWords, withField } from './import-fields.ts';

type ImportAnswerViewProps = {
  answer: ImportAnswer;
  /** Why the columns cannot be read as they were chosen. */
  problem: string | null;
  onChoose: (columns: ColumnChoice[]) => void;
  country: string | null;
  isCountryChosen: boolean;
  onChooseCountry: (country: string | null) => void;
  /** Those of everybody in the file. */
  tags: string[];
  onChooseTags: (tags: string[]) => void;
  consent: ConsentDraft | null;
  onChooseConsent: (consent: ConsentDraft | null) => void;
  onJoin: NonNullable<ImportFindingsProps['onJoin']>;
  /** Whether a reminder is to be sent to these people, whom their first tag names. */
  isForReminder: boolean;
  isDone: boolean;
  /** What became of the contacts of an import that was undone. */
  undone: string | null;
  onUndone: (words: string) => void;
  isBusy: boolean;
  isWriting: boolean;
  /** The import that goes on. */
  running: ContactImport | undefined;
  onBack: () => void;
  onImport: () => void;
  onClose: () => void;
};

/** The result of an import or of its preview, line by line. */
export function ImportAnswerView({
  answer,
  problem,
  onChoose,
  country,
  isCountryChosen,
  onChooseCountry,
  tags,
  onChooseTags,
  consent,
  onChooseConsent,
  onJoin,
  isForReminder,
  isDone,
  undone,
  onUndone,
  isBusy,
  isWriting,
  running,
  onBack,
  onImport,
  onClose,
}: ImportAnswerViewProps) {
  const { counts, columns } = answer;
  const writes = counts.created + counts.updated;
  const consents = answer.consents?.recorded ?? 0;
  const hasTimes = columns.some(({ field }) => field === 'consent_at');
  const lacksConsent = (consent !== null || hasTimes) && consent?.isAttested !== true;
  const lacksTag = isForReminder && tags.length === 0;
  /** Nothing is to be written, but a reminder can be sent to them. */
  const areThere = isForReminder && writes === 0 && counts.unchanged > 0;
  // Numbers without a country code are refused for want of one. The field stays once it was used.
  const asksForCountry =
    columns.some(({ field }) => field === 'phone') && (isCountryChosen || counts.incomplete + counts.failed > 0);
  return (
    <Stack gap={16}>
      <Text fw={560} role="status">
        {isDone ? 'Imported: ' : ''}
        {countsInWords(counts)}.{writes === 0 && counts.unchanged > 0 && ' All of this is there already.'}
      </Text>
      <ImportFindings answer={answer} onJoin={isDone ? undefined : onJoin} />
      {!isDone && asksForCountry && <CountryField country={country} onChoose={onChooseCountry} />}
      {isDone ? (
        <ul className={classes.columns} aria-label="Columns">
          {columns.map((column) => (
            <li key={`${column.header} ${column.field}`}>
              {column.header || 'Without a name'}
              <IconArrowRight size={12} role="img" aria-label="becomes" />
              {fieldInWords(column)}
            </li>
          ))}
        </ul>
      ) : (
        <ImportColumns columns={columns} problem={problem} onChoose={onChoose} />
      )}
      {!isDone && (
        <TagsField
          label="Tags for everybody in the file"
          description={
            isForReminder
              ? 'The reminder is sent to everyone with the first of them.'
              : 'Beside those in a Tags column. A reminder can be sent to everyone with a tag.'
          }
          tags={tags}
          onChoose={onChooseTags}
          error={lacksTag && 'Give them a tag, by which the reminder finds them'}
        />
      )}
      {!isDone && (
        <ImportConsentFields
          draft={consent ?? (hasTimes ? noConsent : null)}
          hasTimes={hasTimes}
          consents={answer.consents}
          onChange={onChooseConsent}
        />
      )}
      <Rows rows={answer.rows} onJoin={isDone ? undefined : onJoin} />
      {answer.import_id !== null && <UndoImport importId={answer.import_id} undone={undone} onUndone={onUndone} />}
      {running !== undefined && (
        <Stack gap={6}>
          <ImportProgress noun="lines" all={running.lines} done={running.lines_done} />
          <span className={prose.dimParagraph}>
            You may close this or leave the page: the import goes on, and Recent imports shows how it ends.
          </span>
        </Stack>
      )}
      <DialogFooter mt={24}>
        {isDone ? (
          <Button onClick={onClose} data-autofocus>
            Done
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={onBack} disabled={isWriting}>
              Back
            </Button>
            <Button
              onClick={onImport}
              loading={isBusy}
              disabled={(writes + consents === 0 && !areThere) || lacksTag || lacksConsent}
            >
              {importLabel({ writes, consents, areThere })}
            </Button>
          </>
        )}
      </DialogFooter>
    </Stack>
  );
}

function importLabel({ writes, consents, areThere }: { writes: number; consents: number; areThere: boolean }): string {
  if (writes === 0 && consents > 0) return `Record ${counted(consents, 'consent')}`;
  if (areThere) return 'Send to these contacts';
  return writes === 0 ? 'Nothing to import' : `Import ${counted(writes, 'contact')}`;
}

const looks: Record<ImportRow['result'], { word: string; tone: Tone; icon: ComponentType<IconProps> }> = {
  created: { word: 'New', tone: 'good', icon: IconPlus },
  updated: { word: 'Changed', tone: 'moving', icon: IconPencil },
  unchanged: { word: 'Unchanged', tone: 'quiet', icon: IconCheck },
  joined: { word: 'Joined', tone: 'quiet', icon: IconArrowsJoin },
  failed: { word: 'Left out', tone: 'bad', icon: IconAlertTriangle },
};

const shownAtOnce = 200;

/** Rows that are left out come first, because they need a correction, then those of which something was left out. */
function Rows({ rows, onJoin }: { rows: readonly ImportRow[]; onJoin: ImportFindingsProps['onJoin'] }) {
  const shown = rows.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, shownAtOnce);
  return (
    <ImportTable label="Lines" titles={['Line', 'Result', 'Contact']} isNumbered>
      {shown.map((row) => (
        <tr key={row.line}>
          <td>{row.line}</td>
          <td>
            <ToneBadge {...looks[row.result]} />
          </td>
          <td>
            {[row.name, row.email, row.phone].filter((text) => text !== null).join(' · ') || <IconMinus size={14} />}
            {row.notes.length + row.problems.length > 0 && (
              <ul data-mild={row.result !== 'failed'}>
                {row.notes.map(({ code, message }) => (
                  <li key={code}>{message}</li>
                ))}
                {row.problems.map(({ column, message }) => (
                  <li key={`${column} ${message}`}>{column === null ? message : `${column}: ${message}`}</li>
                ))}
              </ul>
            )}
            {row.shares_with !== null && onJoin !== undefined && (
              <JoinButton lines={[row.line]} other={row.shares_with} isJoined={isJoinedByChoice(row)} onJoin={onJoin} />
            )}
          </td>
        </tr>
      ))}
      {rows.length > shown.length && (
        <tr>
          <td colSpan={3}>and {counted(rows.length - shown.length, 'more line')}</td>
        </tr>
      )}
    </ImportTable>
  );
}

const rankOf = ({ result, problems, notes }: ImportRow) =>
  result === 'failed' ? 0 : problems.length + notes.length > 0 ? 1 : 2;

type ImportColumnsProps = {
  columns: readonly ImportColumn[];
  problem: string | null;
  onChoose: (columns: ColumnChoice[]) => void;
};

/** What each column of the file becomes, with the first values that it has. */
function ImportColumns({ columns, problem, onChoose }: ImportColumnsProps) {
  return (
    <div>
      <Text size="sm" c="dimmed" mb={6}>
        {counted(columns.length, 'column')}, and what each becomes
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach scrollable content */}
      <div className={`${prose.framed} ${classes.choices}`} tabIndex={0} role="group" aria-label="Columns">
        {columns.map((column, at) => {
          const header = column.header.trim() || `Column ${at + 1}`;
          return (
            // Columns may have the same name, and never move.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <div key={at} className={classes.choice}>
              <Stack gap={0} miw={0}>
                <span className={list.name}>{header}</span>
                <span className={`${prose.oneLine} ${prose.small}`}>
                  {column.samples.length === 0 ? 'Empty' : column.samples.join(' · ')}
                </span>
              </Stack>
              <div>
                <Select
                  aria-label={`${header} becomes`}
                  size="xs"
                  data={fieldChoices}
                  allowDeselect={false}
                  value={column.field}
                  onChange={(field) => field !== null && onChoose(withField(columns, { at, field }))}
                />
                {column.variable !== null && (
                  <Box component="span" className={prose.breaks} display="block" mt={2} fz="xs" c="dimmed">
                    {`{{${column.variable}}}`}
                  </Box>
                )}
              </div>
            </div>
          );
        })}
      </div>
      {problem !== null && (
        <Input.Error role="alert" mt={8}>
          {problem}
        </Input.Error>
      )}
    </div>
  );
}

type UndoImportProps = {
  importId: string;
  /** What became of its contacts; null as long as it is not undone. */
  undone: string | null;
  onUndone: (words: string) => void;
};

/** Takes an import back, and says what became of its contacts. */
function UndoImport({ importId, undone, onUndone }: UndoImportProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div>
      {undone === null && (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={16} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          Undo import
        </Button>
      )}
      <UndoImportDialog
        importId={importId}
        name="this file"
        opened={isAsking}
        onClose={() => setAsking(false)}
        onUndone={(counts) => onUndone(undoInWords(counts))}
      />
      <span role="status">{undone}</span>
    </div>
  );
}
