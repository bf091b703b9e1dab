import { Anchor, Button } from '@mantine/core';
import { IconPencil, IconSend, IconUserOff } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { ContactDetails, UpcomingOfContact } from '#contract/contact-details.ts';
import type { Suppression } from '#contract/suppressions.ts';
import { ApiError } from '#web/api/client.ts';
import { useContact, useContactDeliveries, useUpcomingOfContact } from '#web/api/contact-details.ts';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import { languageInWords } from '#web/features/contacts/language-choices.ts';
import { scheduleText } from '#web/features/reminders/schedule-text.ts';
import { RemoveSuppressionDialog } from '#web/features/suppressions/RemoveSuppressionDialog.tsx';
import { reasonLooks } from '#web/features/suppressions/suppression-words.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackLink, Loaded, RecordSection, RecordSkeleton } from '#web/ui/Record.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import classes from '#web/ui/record.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { ContactHistory } from './ContactHistory.tsx';

const ContactDialog = lazy(() => import('#web/features/contacts/ContactDialog.tsx'));
const WriteDialog = lazy(() => import('./WriteDialog.tsx'));

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
      {error instanceof ApiError && error.status === 404 ? (
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

type Asked = 'edit' | 'write';

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
      <DoNotContact contact={contact} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <ContactHistory id={contact.id} />
        </div>
        <div className={classes.column}>
          <ContactUpcoming id={contact.id} />
          <ContactFacts contact={contact} />
        </div>
      </div>
      <Suspense>
        {state.asked === 'edit' && <ContactDialog key={state.openCount} contact={contact} {...dialog} />}
        {state.asked === 'write' && <WriteDialog key={state.openCount} contact={contact} {...dialog} />}
      </Suspense>
    </>
  );
}

/** To which of its addresses nothing is sent, since when and why. */
function DoNotContact({ contact: { suppressions } }: { contact: ContactDetails }) {
  const mayRemove = useWorkspace().workspace.role !== 'member';
  const [asked, setAsked] = useState<Suppression | null>(null);
  const [isOpen, setOpen] = useState(false);
  const ask = (suppression: Suppression) => {
    setAsked(suppression);
    setOpen(true);
  };
  return (
    <>
      {suppressions.length > 0 && (
        <ul className={classes.warnings} aria-label="Do not contact">
          {suppressions.map((suppression) => (
            <li key={suppression.id}>
              <span>
                <strong>
                  Nothing is sent to {suppression.recipient} by {channelLooks[suppression.channel].name}
                </strong>{' '}
                since <InstantText at={suppression.created_at} show="day" />. {whyOf(suppression)}
              </span>
              {mayRemove && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => ask(suppression)}
                  aria-label={`Remove ${suppression.recipient} (${suppression.channel})`}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {asked && <RemoveSuppressionDialog suppression={asked} opened={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}

const whyOf = ({ reason, created_by_name: by }: Suppression): string =>
  reason === 'manual' && by !== null ? `Added by ${by}.` : reasonLooks[reason].sentence;

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

/** The reminders that will be sent to the contact, soonest first. */
function ContactUpcoming({ id }: { id: string }) {
  const upcoming = useUpcomingOfContact(id);
  return (
    <RecordSection title="What comes next">
      <Loaded of={upcoming} failed="Error loading what comes next">
        {({ data, is_complete: isComplete }) => (
          <>
            {data.length === 0 && isComplete && <p className={classes.quiet}>No active reminder is sent to them.</p>}
            <ul aria-label="What comes next">
              {data.map((reminder) => (
                <Row key={reminder.id} of={reminder} />
              ))}
            </ul>
            {!isComplete && <p className={classes.quiet}>There may be more: only the next reminders were searched.</p>}
          </>
        )}
      </Loaded>
    </RecordSection>
  );
}

function Row({ of }: { of: UpcomingOfContact }) {
  const { id, name, schedule_config: schedule, next_run_at: next, through, channels, problem } = of;
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <Link to="/reminders/$id" params={{ id }} className={`${classes.name} ${classes.whole}`}>
          {name}
        </Link>
        <span className={classes.icons}>
          {channels.map((channel) => (
            <ChannelIcon key={channel} channel={channel} size={16} />
          ))}
        </span>
      </div>
      <span className={classes.note}>
        {next === null ? 'After the event' : <InstantText at={next} zone={schedule.timezone} />}
        {` · ${[scheduleText(schedule), through].filter(Boolean).join(' · ')}`}
      </span>
      {problem !== null && (
        <span className={classes.note} data-tone="waiting">
          {problem}
        </span>
      )}
    </li>
  );
}
