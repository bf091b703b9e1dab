import { Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { Consent } from '#contract/consents.ts';
import type { ContactDetails } from '#contract/contact-details.ts';
import { useConsentsOfContact } from '#web/api/consents.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';
import { TextLink } from '#web/ui/links.tsx';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import own from './consents.module.css';
import { howText, saidText, stateText, whereText } from './consent-words.ts';

const NoteConsentDialog = lazy(() => import('./NoteConsentDialog.tsx'));

/** What the contact said about being written to, newest first. A member notes what they were told. */
export function ContactConsents({ contact }: { contact: ContactDetails }) {
  const consents = useConsentsOfContact(contact.id);
  const { state, dialog, open } = useDialogState<'note'>();
  const note = () => open('note');
  const mayNote = (contact.email ?? contact.phone) !== null;
  return (
    <RecordSection
      title="Consent"
      aside={
        mayNote && (
          <Group gap={8}>
            {(consents.data ?? []).length > 0 && (
              <TextLink
                to="/contacts/$id/consents"
                params={{ id: contact.id }}
                search={{ channel: provenIn(contact) }}
                size="sm"
              >
                Proof
              </TextLink>
            )}
            <SmallButton icon={IconPlus} onClick={note}>
              Note a consent
            </SmallButton>
          </Group>
        )
      }
    >
      {contact.consents.length > 0 && (
        <ul aria-label="Consent required">
          {contact.consents.map(({ channel, state }) => (
            <li key={channel} className={classes.row}>
              <span className={own.said}>{stateText(channel, state)}</span>
            </li>
          ))}
        </ul>
      )}
      <Loaded of={consents} failed="Error loading consents">
        {(rows) =>
          rows.length === 0 ? (
            <p className={classes.quiet}>They have said nothing about being written to.</p>
          ) : (
            <>
              <ul aria-label="Consent">
                {rows.map((consent) => (
                  <Row key={consent.id} of={consent} />
                ))}
              </ul>
              {consents.hasNextPage && <LoadMore of={consents}>{rows.length.toLocaleString('en')} shown</LoadMore>}
            </>
          )
        }
      </Loaded>
      <Suspense>
        {state.asked === 'note' && <NoteConsentDialog key={state.openCount} contact={contact} {...dialog} />}
      </Suspense>
    </RecordSection>
  );
}

/** The channel of which the proof is shown first. */
const provenIn = ({ phone }: ContactDetails) => (phone === null ? 'email' : 'sms');

function Row({ of }: { of: Consent }) {
  const where = whereText(of);
  return (
    <li className={classes.row} data-kind={of.kind}>
      <span className={own.said}>{saidText(of)}</span>
      <span className={classes.note}>
        <InstantText at={of.said_at} /> · {howText(of)}
      </span>
      {where !== '' && <span className={classes.note}>From {where}</span>}
      {of.text !== null && <blockquote className={own.text}>{of.text}</blockquote>}
    </li>
  );
}
