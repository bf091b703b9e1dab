import { Button, FileButton, Group, Input, Stack, Textarea } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { contactLimits } from '#contract/contacts.ts';
import { textOfFile } from '#web/ui/text-of-file.ts';
import { CountryField } from './CountryField.tsx';
import classes from './dialogs.module.css';

export type Source = { csv: string; fileName: string | null; country: string | null };

type ImportSourceProps = {
  source: Source;
  /** The reason why the text cannot be parsed. */
  problem: string | null;
  isBusy: boolean;
  onChange: (source: Source) => void;
  onPreview: () => void;
};

/** A file, or pasted text. */
export function ImportSource({ source, problem, isBusy, onChange, onPreview }: ImportSourceProps) {
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
      <p className={classes.sentence}>
        A CSV file whose first line names its columns: Name, E-mail, Phone, Time zone, in any order. Every other column
        becomes a value that messages can use. At most {contactLimits.importRows.toLocaleString('en')} lines.
      </p>
      <div className={classes.source}>
        <FileButton onChange={(file) => void take(file)} accept=".csv,.tsv,.txt,text/csv" resetRef={resetFile}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileText size={16} aria-hidden />} data-autofocus>
              Choose a file
            </Button>
          )}
        </FileButton>
        <span className={classes.file} role="status">
          {source.fileName ?? 'or paste its text below'}
        </span>
      </div>
      <Textarea
        label="Contacts"
        rows={8}
        placeholder={'Name,E-mail,Phone,amount\nAnna Smith,anna@example.com,+49 151 23456789,950 €'}
        classNames={{ input: classes.code }}
        spellCheck={false}
        value={source.csv}
        error={wrong !== null}
        onChange={({ currentTarget }) => onChange({ ...source, csv: currentTarget.value, fileName: null })}
      />
      {wrong !== null && <Input.Error role="alert">{wrong}</Input.Error>}
      <CountryField country={source.country} onChoose={(country) => onChange({ ...source, country })} />
      <Group className={classes.footer} justify="flex-end">
        <Button onClick={onPreview} loading={isBusy} disabled={source.csv.trim() === ''}>
          Preview
        </Button>
      </Group>
    </Stack>
  );
}
