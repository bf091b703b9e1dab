import { Anchor, Button, Group } from '@mantine/core';
import { IconPencil, IconSend, IconUserOff } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { ContactDetails } from '#contract/contact-details.ts';
import type { Suppression } from '#contract/suppressions.ts';
import { dayInWords } from '#domain/day-in-words.ts';
import { receivingHoursText } from '#domain/sending-hours-text.ts';
import { isNotHere } from '#web/api/client.ts';
import { fetchPerson } from '#web/api/erasures.ts';
import { usePauseContact } from '#web/api/exclusions.ts';
import { useContact, useContactDeliveries, useUpcomingOfContact } from '#web/api/contact-details.ts';
import { useTopics } from '#web/api/topics.ts';
import { ContactConsents } from '#web/features/consents/ContactConsents.tsx';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import { languageInWords } from '#web/features/contacts/language-choices.ts';
import { endAhead } from '#web/features/exclusions/pause-end.ts';
import { RemoveSuppressionDialog } from '#web/features/suppressions/RemoveSuppressionDialog.tsx';
import { NarrowSuppressionDialog } from '#web/features/suppressions/NarrowSuppressionDialog.tsx';
import { canNarrow, messagesOf, reasonLooks } from '#web/features/suppressions/suppression-words.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { act } from '#web/ui/act.ts';
import { saveFile } from '#web/ui/save-file.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackLink, RecordSection, RecordSkeleton } from '#web/ui/Record.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import classes from '#web/ui/record.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { ContactHistory } from './ContactHistory.tsx';
import { ContactUpcoming } from './ContactUpcoming.tsx';

const ContactDialog = lazy(() => import('#web/features/contacts/ContactDialog.tsx'));
const WriteDialog = lazy(() => import('./WriteDialog.tsx'));
const EraseDialog = lazy(() => import('#web/features/erasures/EraseDialog.tsx'));
const PauseDialog = lazy(() => import('#web/features/exclusions/PauseDialog.tsx'));

const route = getRouteApi('/themed/signed-in/contacts/$id');
const back = <BackLink to="/contacts">Back to Contacts</BackLink>;

/** One contact: what it got, what comes next, and whether anything is sent to it. */
export function ContactScreen() {
  const { id } = route.useParams();
  const { channel } = route.useSearch();
  const { data: contact, error, isPending, isFetching, refetch } = useContact(id);
  // These load in parallel with the contact.
  useContactDeliveries(id, { channel });
  useUpcomingOfContact(id);
  if (contact) return <Page key={contact.id} contact={contact} />;
  if (isPending)
    return (
      <>
        <PageHeader title="Contact" above={back} />
        <RecordSkeleton label="Loading the contact" />
      </>
    );
  return (
    <>
      <PageHeader title="Contact" above={back} />
      {isNotHere(error) ? (
        <EmptyState
          icon={IconUserOff}
          title="This contact is not here"
          sentence="It was deleted, or it belongs to another workspace."
          action={<ButtonLink to="/contacts">Show all contacts</ButtonLink>}
        />
      ) : (
        <ErrorState title="Error loading contact" of={{ error, refetch, isFetching }} />
      )}
    </>
  );
}

type Asked = 'edit' | 'write' | 'pause';

function Page({ contact }: { contact: ContactDetails }) {
  const { state, dialog, open } = useDialogState<Asked>();
  const { email, phone } = contact;
  const addresses = [email, phone].filter((address) => address !== null && address !== displayNameOf(contact));
  return (
    <>
      <PageHeader
        title={displayNameOf(contact)}
        subtitle={addresses.join(' · ') || undefined}
        above={back}
        actions={
          <>
            <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => open('edit')}>
              Edit
            </Button>
            {(email ?? phone) !== null && (
              <Button
                // Wider than Edit on a phone, where the buttons share the line.
                style={{ flexBasis: 'auto' }}
                leftSection={<IconSend size={16} aria-hidden />}
                onClick={() => open('write')}
              >
                Write to them now
              </Button>
            )}
          </>
        }
      />
      <Paused contact={contact} onChange={() => open('pause')} />
      <DoNotContact contact={contact} />
      <NeverInHours contact={contact} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <ContactHistory id={contact.id} />
        </div>
        <div className={classes.column}>
          <ContactUpcoming contact={contact} onPause={() => open('pause')} />
          <ContactConsents contact={contact} />
          <ContactFacts contact={contact} />
          <PersonalData contact={contact} />
        </div>
      </div>
      <Suspense>
        {state.asked === 'edit' && <ContactDialog key={state.openCount} contact={contact} {...dialog} />}
        {state.asked === 'pause' && <PauseDialog key={state.openCount} contact={contact} {...dialog} />}
        {state.asked === 'write' && <WriteDialog key={state.openCount} contact={contact} {...dialog} />}
      </Suspense>
    </>
  );
}

/** Until when reminders to the contact are paused. */
function Paused({ contact, onChange }: { contact: ContactDetails; onChange: () => void }) {
  const pause = usePauseContact(contact.id);
  const [isBusy, setBusy] = useState(false);
  const until = endAhead(contact);
  const end = async () => {
    setBusy(true);
    const done = ['Reminders go on', `${displayNameOf(contact)} gets them again.`] as const;
    await act(pause(null), { failed: 'Error ending the pause', done });
    setBusy(false);
  };
  if (until === null) return null;
  return (
    <ul className={classes.warnings} aria-label="Paused">
      <li>
        <span>
          <strong>No reminders before {dayInWords(until)}.</strong> Messages that somebody writes to them are sent.
        </span>
        <Group gap={8}>
          <Button size="compact-sm" variant="default" onClick={onChange}>
            Change
          </Button>
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void end()}>
            End the pause
          </Button>
        </Group>
      </li>
    </ul>
  );
}

/** At which of its addresses the hours that they chose leave no time for optional messages. */
function NeverInHours({ contact: { receiving_hours: chosen } }: { contact: ContactDetails }) {
  const apart = chosen.filter(({ never_meets: neverMeets }) => neverMeets);
  if (apart.length === 0) return null;
  return (
    <ul className={classes.warnings} aria-label="Hours that never meet">
      {apart.map(({ address }) => (
        <li key={address}>
          <span>
            <strong>No optional messages are sent to {address}.</strong> The hours in which they want messages and the
            sending hours of the workspace never meet.
          </span>
        </li>
      ))}
    </ul>
  );
}

/** To which of its addresses nothing is sent, since when and why. */
function DoNotContact({ contact: { suppressions } }: { contact: ContactDetails }) {
  const mayChange = useWorkspace().workspace.role !== 'member';
  const { data: topics = [] } = useTopics();
  const { state, dialog, open } = useDialogState<{ to: 'remove' | 'narrow'; suppression: Suppression }>();
  const { asked, openCount } = state;
  return (
    <>
      {suppressions.length > 0 && (
        <ul className={classes.warnings} aria-label="Do not contact">
          {suppressions.map((suppression) => (
            <li key={suppression.id}>
              <span>
                <strong>
                  {withheldText(suppression)} to {suppression.recipient} by {channelLooks[suppression.channel].name}
                </strong>{' '}
                since <InstantText at={suppression.created_at} show="day" />
                {suppression.ends_at !== null && (
                  <>
                    {' '}
                    until <InstantText at={suppression.ends_at} />
                  </>
                )}
                . {whyOf(suppression)}
              </span>
              {mayChange && (
                <Group gap={8}>
                  {canNarrow(suppression) && topics.length > 0 && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      onClick={() => open({ to: 'narrow', suppression })}
                      aria-label={`Narrow ${suppression.recipient} (${suppression.channel})`}
                    >
                      Narrow
                    </Button>
                  )}
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => open({ to: 'remove', suppression })}
                    aria-label={`Remove ${suppression.recipient} (${suppression.channel})`}
                  >
                    Remove
                  </Button>
                </Group>
              )}
            </li>
          ))}
        </ul>
      )}
      {asked?.to === 'remove' && (
        <RemoveSuppressionDialog key={openCount} suppression={asked.suppression} {...dialog} />
      )}
      {asked?.to === 'narrow' && (
        <NarrowSuppressionDialog key={openCount} suppression={asked.suppression} {...dialog} />
      )}
    </>
  );
}

/** `Nothing is sent`, `No messages about Events are sent`. */
const withheldText = (entry: Suppression): string =>
  entry.covers === 'everything' ? 'Nothing is sent' : `No ${messagesOf(entry)} are sent`;

function whyOf({ reason, created_by_name: by }: Suppression): string {
  if (reason === 'manual' && by !== null) return `Added by ${by}.`;
  const { sentence, whole } = reasonLooks[reason];
  return whole === null ? sentence : `${sentence} That covers everything: ${whole}.`;
}

/** What is kept about the contact: to be handed out, or erased. For admins. */
function PersonalData({ contact: { email, phone } }: { contact: ContactDetails }) {
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  const { state, dialog, open } = useDialogState<true>();
  const [isBusy, setBusy] = useState(false);
  const addresses = [email, phone].filter((address) => address !== null);
  if (workspace.role === 'member' || addresses.length === 0) return null;
  const write = async () => {
    setBusy(true);
    await act(
      fetchPerson(workspace.id, addresses).then((file) => saveFile('personal-data.json', file)),
      {
        failed: 'Error exporting what is kept',
        done: ['Personal data exported', 'The file has what this workspace keeps about them.'],
      },
    );
    setBusy(false);
  };
  return (
    <RecordSection title="Personal data">
      <Group gap={8} px="var(--gutter)" pb="md">
        <Button variant="default" loading={isBusy} onClick={() => void write()}>
          Export
        </Button>
        <Button variant="default" onClick={() => open(true)}>
          Erase
        </Button>
      </Group>
      <Suspense>
        {state.asked === true && (
          <EraseDialog
            key={state.openCount}
            workspaceId={workspace.id}
            addresses={addresses}
            onErased={() => void navigate({ to: '/contacts' })}
            {...dialog}
          />
        )}
      </Suspense>
    </RecordSection>
  );
}

/** The fields of the contact, its tags, groups and values. */
function ContactFacts({ contact }: { contact: ContactDetails }) {
  const {
    email,
    phone,
    timezone,
    language,
    preferred_channel: preferred,
    salutation,
    note,
    tags,
    groups,
    variables,
  } = contact;
  const { first_name: first, last_name: last } = contact;
  return (
    <RecordSection title="Details">
      <dl className={`${classes.facts} ${classes.body}`}>
        <Fact term="Salutation">{salutation}</Fact>
        <Fact term="First name">{first}</Fact>
        <Fact term="Last name">{last}</Fact>
        <Fact term="Email">{email && <Anchor href={`mailto:${email}`}>{email}</Anchor>}</Fact>
        <Fact term="Phone">{phone && <Anchor href={`tel:${phone}`}>{phone}</Anchor>}</Fact>
        <Fact term="Timezone">{timezone?.replaceAll('_', ' ')}</Fact>
        <Fact term="Language">{language && languageInWords(language)}</Fact>
        <Fact term="Preferred channel">{preferred && channelLooks[preferred].name}</Fact>
        {contact.receiving_hours.map(({ address, chosen_at: at, never_meets: _, ...hours }) => (
          <Fact key={address} term={`Hours that they chose for ${address}`}>
            {receivingHoursText(hours)} Since <InstantText at={at} show="day" />.
          </Fact>
        ))}
        <Fact term="Tags">{tags.length > 0 && <Tags tags={tags} />}</Fact>
        <Fact term="Groups">{groups.length > 0 && <Tags tags={groups.map(({ name }) => name)} />}</Fact>
        {Object.entries(variables).map(([name, value]) => (
          <Fact key={name} term={name}>
            {value}
          </Fact>
        ))}
        <Fact term="Note">{note && <span style={{ whiteSpace: 'pre-wrap' }}>{note}</span>}</Fact>
        <Fact term="Added">
          <InstantText at={contact.created_at} show="day" />
        </Fact>
      </dl>
    </RecordSection>
  );
}

/** Nothing where there is no value. */
function Fact({ term, children }: { term: string; children: ReactNode }) {
  if (children === null || children === undefined || children === false || children === '') return null;
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <span className={classes.tags}>
    {tags.map((tag) => (
      <span key={tag} className={classes.tag}>
        {tag}
      </span>
    ))}
  </span>
);
