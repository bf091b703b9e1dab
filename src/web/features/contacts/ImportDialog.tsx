import { useState } from 'react';
import type { ImportAnswer } from '#contract/contacts.ts';
import { useImportContacts } from '#web/api/contacts.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { countsInWords } from './contact-words.ts';
import { ImportAnswerView } from './ImportAnswerView.tsx';
import { ImportSource, type Source } from './ImportSource.tsx';

type Step =
  | { at: 'source'; problem: string | null }
  | { at: 'preview'; answer: ImportAnswer }
  | { at: 'done'; answer: ImportAnswer };

/** Imports a file or pasted text after a preview, which writes nothing. Loaded separately from the list. */
export default function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [source, setSource] = useState<Source>({ csv: '', fileName: null, country: null });
  const [step, setStep] = useState<Step>({ at: 'source', problem: null });
  const { mutateAsync, isPending } = useImportContacts();
  const body = { csv: source.csv, default_country: source.country };

  const preview = async () => {
    try {
      setStep({ at: 'preview', answer: await mutateAsync({ ...body, mode: 'preview' }) });
    } catch (error) {
      setStep({ at: 'source', problem: messageOf(error) });
    }
  };
  const write = async () => {
    try {
      const answer = await mutateAsync({ ...body, mode: 'import' });
      setStep({ at: 'done', answer });
      notifySuccess('Contacts imported', `${countsInWords(answer.counts)}.`);
    } catch (error) {
      notifyFailure('Error importing contacts', error);
    }
  };
  return (
    <Dialog title="Import Contacts" opened={opened} onClose={onClose} width={760}>
      {step.at === 'source' ? (
        <ImportSource
          source={source}
          problem={step.problem}
          isBusy={isPending}
          onChange={(changed) => {
            setSource(changed);
            setStep({ at: 'source', problem: null });
          }}
          onPreview={() => void preview()}
        />
      ) : (
        <ImportAnswerView
          answer={step.answer}
          isDone={step.at === 'done'}
          isBusy={isPending}
          onBack={() => setStep({ at: 'source', problem: null })}
          onImport={() => void write()}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
