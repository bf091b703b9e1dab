import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { MultiSelect, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { type Audience, audienceLimits, isAudience } from '#contract/audience.ts';
import { useAudience, useContactGroups, useContactTags } from '#web/api/contact-groups.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import { messageOf } from '#web/ui/message-of.ts';
import { audienceOf, choicesOf, type Known, matching, valuesOf } from './audience-choices.ts';
import { useReminderFormContext } from './form-context.ts';

const typingPauseMs = 200;

/** The people to whom a reminder is sent beside its recipients: everyone, groups, tags and contacts. */
export function PeopleField() {
  const form = useReminderFormContext();
  const { audience } = form.values.metadata;
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed.trim(), typingPauseMs);
  const groups = useContactGroups();
  const tags = useContactTags();
  const found = useContactsLike(settled === '' ? null : settled);
  const people = useAudience(audience);
  /** Those that were chosen here, until they are counted. */
  const [chosen, setChosen] = useState<Known['found']>([]);
  const known: Known = {
    groups: groups.data,
    tags: tags.data?.map(({ tag }) => tag) ?? [],
    found: [...chosen, ...(settled === '' ? [] : (found.data ?? []))],
    picked: people.data?.contacts ?? [],
  };
  const choose = (values: string[]) => {
    const next = audienceOf(values, audience);
    setChosen(known.found.filter(({ id }) => next?.contacts?.includes(id) === true));
    form.setFieldValue('metadata.audience', next);
  };
  const error = Object.entries(form.errors).find(([path]) => path.startsWith('metadata.audience'))?.[1];
  const hasFailed = groups.isError || tags.isError || found.isError;
  return (
    <Stack gap={6}>
      <MultiSelect
        label="People"
        description="Everyone, a group, a tag or a contact. Who belongs to it is looked up when the reminder is sent."
        placeholder={isAudience(audience) ? undefined : 'Everyone, a group, a tag or a contact'}
        data={choicesOf(audience, known)}
        value={valuesOf(audience)}
        onChange={choose}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        // Contacts are searched by the server, also by address and number.
        filter={({ options, search }) => matching(options, search)}
        maxValues={audienceLimits.contacts}
        maxDropdownHeight={280}
        nothingFoundMessage={hasFailed ? 'The list could not be loaded' : 'Nobody found'}
        error={error}
      />
      <Text role="status" mih="1.5em" c="dimmed" fz="sm" className="figures">
        {isAudience(audience) && <Count audience={audience} />}
      </Text>
    </Stack>
  );
}

function Count({ audience }: { audience: Audience }) {
  const { data, error } = useAudience(audience);
  if (error !== null) return `The number of people could not be loaded. ${messageOf(error)}`;
  if (data === undefined) return 'Counting…';
  return countText(data.people);
}

function countText(people: number): string {
  if (people === 0) return 'Nobody belongs to it now.';
  if (people > audienceLimits.people)
    return `${counted(people, 'person', 'people')}: more than the ${audienceLimits.people.toLocaleString('en')} to whom a reminder can be sent.`;
  return `${counted(people, 'person belongs', 'people belong')} to it now.`;
}
