import { Button, FileButton, Group, Input, Skeleton, Stack, Textarea } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { ColumnChoice, ImportAnswer, ImportConsent } from '#contract/contact-imports.ts';
import { contactLimits } from '#contract/contacts.ts';
import { contactFieldTitles } from '#domain/contact-fields.ts';
import { counted, listed } from '#domain/in-words.ts';
import { useImportContacts, useImports } from '#web/api/contacts.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { DialogFooter } from '#web/ui/DialogForm.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import prose from '#web/ui/prose.module.css';
import { textOfFile } from '#web/ui/text-of-file.ts';
import { CountryField } from './CountryField.tsx';
import { type ConsentDraft, parsedConsent } from './ImportConsentFields.tsx';
import { ImportAnswerView } from './ImportAnswerView.tsx';
import { countsInWords } from './contact-words.ts';

type Step =
  | { at: 'source'; problem: string | null }
  | { at: 'preview'; answer: ImportAnswer; problem: string | null }
  | { at: 'done'; answer: ImportAnswer; undone: string | null };

/** The source with the country that was chosen here; undefined where none was. */
type Written = Omit<Source, 'country'> & { country: string | null | undefined };

const progressAfterMs = 400;

const choicesOf = ({ columns }: ImportAnswer): ColumnChoice[] =>
  columns.map(({ field, variable }) => ({ field, variable }));

type ImportDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** A table that was chosen elsewhere, and the tag that its people get. */
  given?: { csv: string; fileName: string | null; tag: string };
  /** For a given table: its people are contacts now, with this tag. */
  onChosen?: (tag: string) => void;
  onUndone?: (tag: string) => void;
};

/** Imports a file or pasted text after a preview, which writes nothing. Loaded separately from the list. */
export default function ImportDialog({ opened, onClose, given, onChosen, onUndone }: ImportDialogProps) {
  const [source, setSource] = useState<Written>({
    csv: given?.csv ?? '',
    fileName: given?.fileName ?? null,
    country: undefined,
  });
  const [step, setStep] = useState<Step>({ at: 'source', problem: null });
  const { mutateAsync } = useImportContacts();
  const [pending, setPending] = useState(0);
  const [tags, setTags] = useState<string[]>(given === undefined ? [] : [given.tag]);
  const [consent, setConsent] = useState<ConsentDraft | null>(null);
  const [joinLines, setJoinLines] = useState<number[]>([]);
  const latest = useRef(0);
  const [isWriting, setWriting] = useState(false);
  const { data: imports, refetch } = useImports({ isWatched: opened && isWriting });
  const running = isWriting ? imports?.data.find(({ status }) => status === 'running') : undefined;
  // As long as none was chosen here, the one of the workspace's last import.
  const country = source.country === undefined ? (imports?.default_country ?? null) : source.country;
  const body = { csv: source.csv, default_country: country, file_name: source.fileName, tags, join_lines: joinLines };
  /** The consents as they were attested; without them none are imported. */
  const consentIn = (draft: ConsentDraft | null, columns: readonly Pick<ColumnChoice, 'field'>[]) => {
    if (draft?.isAttested !== true) return {};
    const parsed = parsedConsent(
      draft,
      columns.some(({ field }) => field === 'consent_at'),
    );
    return 'consent' in parsed ? { consent: parsed.consent } : {};
  };

  /** Null when another request was begun meanwhile: its answer counts. */
  const request = async (of: Parameters<typeof mutateAsync>[0]): Promise<ImportAnswer | null> => {
    latest.current += 1;
    const own = latest.current;
    setPending((count) => count + 1);
    try {
      const answer = await mutateAsync(of);
      return own === latest.current ? answer : null;
    } catch (error) {
      if (own === latest.current) throw error;
      return null;
    } finally {
      setPending((count) => count - 1);
    }
  };

  const preview = async () => {
    try {
      const answer = await request({ ...body, mode: 'preview' });
      if (answer !== null) setStep({ at: 'preview', answer, problem: null });
    } catch (error) {
      setStep({ at: 'source', problem: messageOf(error) });
    }
  };
  /** As long as a given table was not read once. */
  const [isOpening, setOpening] = useState(given !== undefined);
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isOpening || hasBegun.current) return;
    hasBegun.current = true;
    void preview().finally(() => setOpening(false));
  });
  /** Reads the file again with other columns, another country or tags, which are shown at once: the next choice adds to this one. */
  const choose = async (
    columns: ColumnChoice[],
    other: { default_country?: string | null; tags?: string[]; join_lines?: number[]; consent?: ImportConsent } = {},
  ) => {
    if (step.at !== 'preview' || isWriting) return;
    const chosen = step.answer.columns.map((column, at) => ({ ...column, ...columns[at] }));
    setStep({ ...step, answer: { ...step.answer, columns: chosen } });
    try {
      const answer = await request({ ...body, ...consentIn(consent, columns), ...other, columns, mode: 'preview' });
      if (answer !== null) setStep({ at: 'preview', answer, problem: null });
    } catch (error) {
      setStep({ ...step, problem: messageOf(error) });
    }
  };
  const chooseCountry = (chosen: string | null) => {
    if (step.at !== 'preview' || isWriting) return;
    setSource({ ...source, country: chosen });
    void choose(choicesOf(step.answer), { default_country: chosen });
  };
  const chooseTags = (chosen: string[]) => {
    if (step.at !== 'preview' || isWriting) return;
    setTags(chosen);
    void choose(choicesOf(step.answer), { tags: chosen });
  };
  const chooseConsent = (chosen: ConsentDraft | null) => {
    if (step.at !== 'preview' || isWriting) return;
    setConsent(chosen);
    const columns = choicesOf(step.answer);
    // What is typed is read once it is attested.
    if (chosen?.isAttested === true) void choose(columns, consentIn(chosen, columns));
    else setStep({ ...step, answer: { ...step.answer, consents: null } });
  };
  const join = (lines: readonly number[], isJoined: boolean) => {
    if (step.at !== 'preview' || isWriting) return;
    const others = joinLines.filter((line) => !lines.includes(line));
    const chosen = isJoined ? [...others, ...lines] : others;
    setJoinLines(chosen);
    void choose(choicesOf(step.answer), { join_lines: chosen });
  };
  const write = async () => {
    if (step.at !== 'preview') return;
    const [tag] = tags;
    const { created, updated } = step.answer.counts;
    // A given table whose people are there already, with the tag.
    if (created + updated + (step.answer.consents?.recorded ?? 0) === 0) {
      if (tag !== undefined) onChosen?.(tag);
      return onClose();
    }
    const columns = choicesOf(step.answer);
    setWriting(true);
    try {
      const asked = request({ ...body, ...consentIn(consent, columns), columns, mode: 'import' });
      // A large file takes a while: its progress is asked for once it has begun.
      const soon = setTimeout(() => void refetch(), progressAfterMs);
      const answer = await asked.finally(() => clearTimeout(soon));
      if (answer === null) return;
      setStep({ at: 'done', answer, undone: null });
      if (tag !== undefined) onChosen?.(tag);
      const { consents } = answer;
      const recorded = consents === null ? '' : ` ${counted(consents.recorded, 'consent')} recorded.`;
      notifySuccess('Contacts imported', `${countsInWords(answer.counts)}.${recorded}`);
    } catch (error) {
      notifyFailure('Error importing contacts', error);
    } finally {
      setWriting(false);
    }
  };
  return (
    <Dialog title="Import Contacts" opened={opened} onClose={onClose} width={760}>
      {isOpening ? (
        <Skeleton height={320} radius="md" role="status" aria-label="Reading the table" />
      ) : step.at === 'source' ? (
        <ImportSource
          source={{ ...source, country }}
          problem={step.problem}
          isBusy={pending > 0}
          onChange={(changed) => {
            setSource({ ...changed, country: changed.country === country ? source.country : changed.country });
            // The choice was one for lines of another text.
            if (changed.csv !== source.csv) setJoinLines([]);
            setStep({ at: 'source', problem: null });
          }}
          onPreview={() => void preview()}
        />
      ) : (
        <ImportAnswerView
          answer={step.answer}
          problem={step.at === 'preview' ? step.problem : null}
          onChoose={(columns) => void choose(columns)}
          country={country}
          isCountryChosen={source.country !== undefined}
          onChooseCountry={chooseCountry}
          tags={tags}
          onChooseTags={chooseTags}
          consent={consent}
          onChooseConsent={chooseConsent}
          onJoin={join}
          isDone={step.at === 'done'}
          undone={step.at === 'done' ? step.undone : null}
          isForReminder={given !== undefined}
          onUndone={(words) => {
            setStep({ at: 'done', answer: step.answer, undone: words });
            if (tags[0] !== undefined) onUndone?.(tags[0]);
          }}
          isBusy={pending > 0}
          isWriting={isWriting}
          running={running}
          onBack={() => setStep({ at: 'source', problem: null })}
          onImport={() => void write()}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

type Source = { csv: string; fileName: string | null; country: string | null };

type ImportSourceProps = {
  source: Source;
  /** The reason why the text cannot be parsed. */
  problem: string | null;
  isBusy: boolean;
  onChange: (source: Source) => void;
  onPreview: () => void;
};

/** A file, or pasted text. */
function ImportSource({ source, problem, isBusy, onChange, onPreview }: ImportSourceProps) {
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const resetFile = useRef<() => void>(null);
  const take = async (file: File | null) => {
    if (file === null) return;
    // The reset allows choosing the same file again after a correction.
    resetFile.current?.();
    if (file.size > contactLimits.importBytes) return setTooLarge(`${file.name} is larger than 2 MB`);
    setTooLarge(null);
    onChange({ ...source, csv: await textOfFile(file), fileName: file.name });
  };
  const wrong = tooLarge ?? problem;
  return (
    <Stack gap={16}>
      <p className={prose.dimParagraph}>
        A CSV file whose first line names its columns, in any order: {listed(Object.values(contactFieldTitles))}. Every
        other column becomes a value that messages can use. At most {contactLimits.importRows.toLocaleString('en')}{' '}
        lines.
      </p>
      <Group gap="8px 12px">
        <FileButton onChange={(file) => void take(file)} accept=".csv,.tsv,.txt,text/csv" resetRef={resetFile}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileText size={16} aria-hidden />} data-autofocus>
              Choose a file
            </Button>
          )}
        </FileButton>
        <span className={prose.breaks} role="status">
          {source.fileName ?? 'or paste its text below'}
        </span>
      </Group>
      <Textarea
        label="Contacts"
        rows={8}
        placeholder={'Name,Email,Phone,amount\nAnna Smith,anna@example.com,+49 151 23456789,950 €'}
        spellCheck={false}
        value={source.csv}
        error={wrong !== null}
        onChange={({ currentTarget }) => onChange({ ...source, csv: currentTarget.value, fileName: null })}
      />
      {wrong !== null && <Input.Error role="alert">{wrong}</Input.Error>}
      <CountryField country={source.country} onChoose={(country) => onChange({ ...source, country })} />
      <DialogFooter mt={24}>
        <Button onClick={onPreview} loading={isBusy} disabled={source.csv.trim() === ''}>
          Preview
        </Button>
      </DialogFooter>
    </Stack>
  );
}
