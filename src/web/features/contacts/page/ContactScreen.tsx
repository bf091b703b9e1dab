import { Button } from '@mantine/core';
import { IconPencil, IconSend, IconUserOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { ContactDetails } from '#contract/contact-details.ts';
import { ApiError } from '#web/api/client.ts';
import { useContact, useContactDeliveries, useUpcomingOfContact } from '#web/api/contact-details.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackLink, RecordSkeleton } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import { ContactFacts } from './ContactFacts.tsx';
import { ContactHistory } from './ContactHistory.tsx';
import { ContactUpcoming } from './ContactUpcoming.tsx';
import { DoNotContact } from './DoNotContact.tsx';

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
        <ErrorState
          title="Error loading contact"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
    </>
  );
}

type Asked = 'edit' | 'write';

function Page({ contact }: { contact: ContactDetails }) {
  const { state, open, close } = useDialogState<Asked>();
  const dialog = { opened: state.isOpen, onClose: () => close(state.openCount) };
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
