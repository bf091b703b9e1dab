import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { Checkbox, Group, Select, Stack, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import { consentAttestation, type ImportAnswer, ImportConsent } from '#contract/contact-imports.ts';
import { consentLimits } from '#contract/consents.ts';
import { counted } from '#domain/in-words.ts';
import { useTopics } from '#web/api/topics.ts';
import { allOptional } from '#web/features/suppressions/suppression-words.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { DayInput } from '#web/ui/pickers/DayInput.tsx';
import prose from '#web/ui/prose.module.css';

const channels = ['sms', 'whatsapp', 'email'] as const;

/** What is typed of the consents of a file. */
export type ConsentDraft = {
  channels: (typeof channels)[number][];
  covers: string | null;
  text: string;
  /** A day such as `2026-01-02`, where no column says when they agreed. */
  day: string;
  isAttested: boolean;
};

export const noConsent: ConsentDraft = { channels: [], covers: null, text: '', day: '', isAttested: false };

/** The draft as the API takes it; `problems` by the names of its fields. */
export function parsedConsent(
  { channels: of, covers, text, day, isAttested }: ConsentDraft,
  hasTimes: boolean,
): { consent: ImportConsent } | { problems: Record<string, string> } {
  const parsed = ImportConsent.safeParse({
    channels: of,
    text,
    ...(covers === 'everything' || covers === 'optional'
      ? { covers }
      : { covers: 'topic', ...(covers !== null && { topic_id: covers }) }),
    ...(day !== '' && { given_at: `${day}T00:00:00Z` }),
    is_attested: isAttested,
  });
  const problems = {
    ...(parsed.success ? {} : fieldErrors(parsed.error.issues)),
    ...(covers === null && { topic_id: 'Choose what they agreed to messages about' }),
    ...(day === '' && !hasTimes && { given_at: 'Choose the day, or the column that says it' }),
  };
  return parsed.success && Object.keys(problems).length === 0 ? { consent: parsed.data } : { problems };
}

type ImportConsentFieldsProps = {
  draft: ConsentDraft | null;
  /** Whether a column says when they agreed. */
  hasTimes: boolean;
  consents: ImportAnswer['consents'];
  onChange: (draft: ConsentDraft | null) => void;
};

/** To what the people of the file agreed, which the importer attests. Whatever changes has to be attested again. */
export function ImportConsentFields({ draft, hasTimes, consents, onChange }: ImportConsentFieldsProps) {
  const { data: topics = [] } = useTopics();
  const [problems, setProblems] = useState<Record<string, string>>({});
  const change = (changes: Partial<ConsentDraft>) => {
    setProblems({});
    onChange({ ...noConsent, ...draft, isAttested: false, ...changes });
  };
  const attest = (isAttested: boolean) => {
    const attested = { ...noConsent, ...draft, isAttested };
    const parsed = isAttested ? parsedConsent(attested, hasTimes) : null;
    if (parsed !== null && 'problems' in parsed) return setProblems(parsed.problems);
    change({ isAttested });
  };
  return (
    <Stack gap={16}>
      <Switch
        label="These people agreed to be written to"
        aria-label="These people agreed to be written to"
        description="Their consents are recorded, with what they agreed to and who attests it."
        checked={draft !== null}
        onChange={({ currentTarget: { checked } }) => {
          setProblems({});
          onChange(checked ? noConsent : null);
        }}
      />
      {draft !== null && (
        <>
          <Checkbox.Group
            label="Channels"
            value={draft.channels}
            error={problems['channels']}
            onChange={(chosen) => change({ channels: channels.filter((channel) => chosen.includes(channel)) })}
          >
            <Group gap={16} mt={6}>
              {channels.map((channel) => (
                <Checkbox key={channel} value={channel} label={channelLooks[channel].name} />
              ))}
            </Group>
          </Checkbox.Group>
          <Select
            label="About"
            placeholder="Choose"
            allowDeselect={false}
            data={[
              { value: 'everything', label: 'All messages' },
              { value: 'optional', label: allOptional },
              ...topics
                .filter(({ archived_at: at }) => at === null)
                .map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={draft.covers}
            error={problems['topic_id']}
            onChange={(covers) => change({ covers })}
          />
          <Textarea
            label="What they agreed to"
            description="Word for word, as the form said that they signed or sent. It cannot be changed later."
            autosize
            minRows={3}
            maxRows={10}
            maxLength={consentLimits.text}
            value={draft.text}
            error={problems['text']}
            onChange={({ currentTarget: { value: text } }) => change({ text })}
          />
          <DayInput
            label={hasTimes ? 'When they agreed, where their line does not say it' : 'When they agreed'}
            description="For a time of each line, choose the field “Agreed at” for its column."
            value={draft.day}
            error={problems['given_at']}
            onChange={(day = '') => change({ day })}
          />
          <Checkbox
            label={consentAttestation}
            description="It is recorded with your name, the file and the line."
            checked={draft.isAttested}
            error={problems['is_attested']}
            onChange={({ currentTarget: { checked } }) => attest(checked)}
          />
          {consents !== null && (
            <p className={prose.dimParagraph} role="status">
              {consentsText(consents)}
            </p>
          )}
        </>
      )}
    </Stack>
  );
}

/** `12 consents. 2 are left out: they have withdrawn, or are on the suppression list.` */
const consentsText = ({ recorded, withdrawn }: NonNullable<ImportAnswer['consents']>): string =>
  `${counted(recorded, 'consent')}.${
    withdrawn === 0
      ? ''
      : ` ${withdrawn.toLocaleString('en')} ${withdrawn === 1 ? 'is' : 'are'} left out: they have withdrawn, or are on the suppression list.`
  }`;
