import { Button, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconUserOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { channelTypes } from '#contract/channel-types.ts';
import {
  suppressibleChannels,
  type Suppression,
  SuppressionInput,
  suppressionReasons,
} from '#contract/suppressions.ts';
import { ApiError } from '#web/api/client.ts';
import { type SuppressionFilters, useAddSuppression, useSuppressions } from '#web/api/suppressions.ts';
import { useTopics } from '#web/api/topics.ts';
import { useContactsSearch } from '#web/features/contacts/contacts-search.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { act } from '#web/ui/act.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { channelChoices } from '#web/ui/channel-choices.ts';
import { recipientText } from '#domain/erased-recipient.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import { useAsked } from '#web/ui/use-asked.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import { type Covers, CoversField } from './CoversField.tsx';
import { NarrowSuppressionDialog } from './NarrowSuppressionDialog.tsx';
import { RemoveSuppressionDialog } from './RemoveSuppressionDialog.tsx';
import { allOptional, canNarrow, coversText, messagesOf, reasonLooks } from './suppression-words.ts';
import classes from './suppressions.module.css';

type Asked = { to: 'add' } | { to: 'remove' | 'narrow'; suppression: Suppression };

/** The suppression list with reasons, what each entry covers, and dates. */
export function SuppressionPanel({ tabs }: { tabs: ReactNode }) {
  const { state, dialog, open } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const add = () => open({ to: 'add' });
  const { open: wanted, change } = useContactsSearch();
  useAsked(wanted, () => {
    add();
    change({ open: undefined });
  });
  return (
    <>
      <PageHeader
        title="Contacts"
        subtitle="Recipients who do not get what is shown beside them, even if a reminder names them"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            Add to the list
          </Button>
        }
      />
      {tabs}
      <Filters />
      <Suppressions onAdd={add} onAsk={(to, suppression) => open({ to, suppression })} />
      {asked?.to === 'remove' ? (
        <RemoveSuppressionDialog key={openCount} suppression={asked.suppression} {...dialog} />
      ) : asked?.to === 'narrow' ? (
        <NarrowSuppressionDialog key={openCount} suppression={asked.suppression} {...dialog} />
      ) : (
        <AddSuppressionDialog key={openCount} {...dialog} />
      )}
    </>
  );
}

/** The URL's search, without an unknown reason. */
function useSuppressionSearch() {
  const { reason, ...search } = useContactsSearch();
  return { ...search, reason: suppressionReasons.find((known) => known === reason) };
}

const coverChoices = [
  { value: 'everything', label: 'Everything' },
  { value: 'optional', label: allOptional },
];

const reasonChoices = suppressionReasons.map((value) => ({ value, label: reasonLooks[value].word }));

function Filters() {
  const { search, channel, reason, covers, change } = useSuppressionSearch();
  const { data: topics = [] } = useTopics();
  return (
    <FilterBar
      search={{
        label: 'Search by name, address or number',
        value: search,
        onSearch: (text) => change({ search: text }),
      }}
      choices={[
        {
          label: 'Filter by channel',
          all: 'All channels',
          of: channelChoices,
          width: 150,
          value: channel,
          onChoose: (value) => change({ channel: channelTypes.find((known) => known === value) }),
        },
        {
          label: 'Filter by reason',
          all: 'All reasons',
          of: reasonChoices,
          width: 170,
          value: reason,
          onChoose: (value) => change({ reason: suppressionReasons.find((known) => known === value) }),
        },
        {
          label: 'Filter by what is not sent',
          all: 'Whatever is not sent',
          of: [...coverChoices, ...topics.map(({ id, name }) => ({ value: id, label: name }))],
          width: 210,
          value: covers,
          onChoose: (value) => change({ covers: value ?? undefined }),
        },
      ]}
    />
  );
}

type OnAsk = (to: 'remove' | 'narrow', suppression: Suppression) => void;

function Suppressions({ onAdd, onAsk }: { onAdd: () => void; onAsk: OnAsk }) {
  const { search, channel, reason, covers, change } = useSuppressionSearch();
  const filters = { search, channel, reason, ...coversQuery(covers) };
  return (
    <List
      noun="the suppression list"
      of={useSuppressions(filters)}
      cardClass={classes.row}
      card={(suppression) => <Row suppression={suppression} onAsk={onAsk} />}
      extent={({ length }) => `${length.toLocaleString('en')} shown`}
      empty={{
        icon: IconUserOff,
        title: 'No suppressed recipients',
        sentence:
          'Recipients who unsubscribe, answer STOP or have a bouncing address are added to this list automatically.',
        action: (
          <Button variant="default" onClick={onAdd}>
            Add a recipient
          </Button>
        ),
      }}
      noMatch={
        Boolean(search || channel || reason || covers) && {
          title: 'No recipients found',
          sentence: 'No recipient on the list matches these filters.',
          all: 'Show the whole list',
          onShowAll: () => change({ search: undefined, channel: undefined, reason: undefined, covers: undefined }),
        }
      }
    />
  );
}

/** What the URL names as covered: one of the kinds, or a topic's id. */
const coversQuery = (covers: string | undefined): Pick<SuppressionFilters, 'covers' | 'topic_id'> =>
  covers === undefined
    ? {}
    : covers === 'everything' || covers === 'optional'
      ? { covers }
      : { covers: 'topic', topic_id: covers };

function Row({ suppression, onAsk }: { suppression: Suppression; onAsk: OnAsk }) {
  const { channel, reason, ends_at: endsAt, contact_name: name } = suppression;
  const { created_by_name: by, created_at: since } = suppression;
  const recipient = recipientText(suppression.recipient);
  const mayChange = useWorkspace().workspace.role !== 'member';
  const { data: topics = [] } = useTopics();
  const { word, icon, whole } = reasonLooks[reason];
  return (
    <>
      <ChannelIcon channel={channel} />
      <div className={list.who}>
        <span className={`${list.cut} ${prose.strong}`} title={name ?? recipient}>
          {name ?? recipient}
        </span>
        {name !== null && (
          <span className={`${list.cut} ${prose.small}`} title={recipient}>
            {recipient}
          </span>
        )}
      </div>
      <span className={classes.reason}>
        <ToneBadge word={word} icon={icon} tone={reason === 'bounced' || reason === 'complained' ? 'bad' : 'quiet'} />
      </span>
      <span className={classes.covers}>
        <span>
          <span className={prose.dim}>Not sent: </span>
          <span>{coversText(suppression)}</span>
        </span>
        {whole !== null && <span className={prose.tiny}>{whole}</span>}
        {endsAt !== null && (
          <span className={prose.tiny}>
            until <InstantText at={endsAt} />
          </span>
        )}
      </span>
      <span className={`${prose.note} ${classes.since}`}>
        <RelativeTime at={since} />
        {by !== null && <span> by {by}</span>}
      </span>
      {mayChange && (
        <span className={classes.buttons}>
          {canNarrow(suppression) && topics.length > 0 && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onAsk('narrow', suppression)}
              aria-label={`Narrow ${recipient} (${channel})`}
            >
              Narrow
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onAsk('remove', suppression)}
            aria-label={`Remove ${recipient} (${channel})`}
          >
            Remove
          </Button>
        </span>
      )}
    </>
  );
}

const channels = suppressibleChannels.map((value) => ({ value, label: channelLooks[value].name }));

const hints = {
  email: 'anna@example.com',
  sms: '+49 151 23456789',
  whatsapp: '+49 151 23456789',
  webhook: 'https://example.com/hook',
} as const;

/** Adds a suppression by hand. */
function AddSuppressionDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [channel, setChannel] = useState<(typeof suppressibleChannels)[number]>('email');
  const [recipient, setRecipient] = useState('');
  const [covers, setCovers] = useState<Covers>({ covers: 'everything' });
  const { data: topics = [] } = useTopics();
  const [problem, setProblem] = useState<string | null>(null);
  const { mutateAsync, isPending } = useAddSuppression();
  const submit = useSubmit(async () => {
    const parsed = SuppressionInput.safeParse({ channel, recipient, ...covers });
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? null);
    const isAdded = await act(mutateAsync(parsed.data), {
      done: (added) => [
        'Added to the list',
        `${added.recipient} gets no more ${messagesOf(added)} by ${channelLooks[channel].name}.`,
      ],
      failed: 'Error adding to the list',
      refused: (error) => {
        const wrong = error instanceof ApiError ? error.fields[0] : undefined;
        if (wrong !== undefined) setProblem(wrong.message);
        return wrong !== undefined;
      },
    });
    if (isAdded) onClose();
  });
  return (
    <Dialog title="Add to the suppression list" opened={opened} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap={16}>
          <p className={prose.plain}>
            From now on, this is not sent to the recipient on this channel, even if a reminder names them.
          </p>
          <Select
            label="Channel"
            data={channels}
            allowDeselect={false}
            value={channel}
            onChange={(value) => {
              setChannel(suppressibleChannels.find((known) => known === value) ?? channel);
              setProblem(null);
            }}
          />
          <TextInput
            label="Who"
            data-autofocus
            placeholder={hints[channel]}
            value={recipient}
            error={problem}
            onChange={({ currentTarget }) => {
              setRecipient(currentTarget.value);
              setProblem(null);
            }}
          />
          {topics.length > 0 && <CoversField value={covers} hasEverything onChange={setCovers} />}
          <FormButtons onCancel={onClose} isBusy={isPending}>
            Add to the list
          </FormButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
