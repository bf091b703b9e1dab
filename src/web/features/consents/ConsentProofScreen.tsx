import { Button, Group } from '@mantine/core';
import { IconArrowLeft, IconBraces, IconPrinter } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { Consent, ConsentProof } from '#contract/consents.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useContact } from '#web/api/contact-details.ts';
import { useConsentProof } from '#web/api/consents.ts';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import report from '#web/features/jobs/report/report.module.css';
import { messagesOf } from '#web/features/suppressions/suppression-words.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { Fact } from '#web/ui/Facts.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { SectionSkeleton } from '#web/ui/Record.tsx';
import record from '#web/ui/record.module.css';
import { saveFile } from '#web/ui/save-file.ts';
import { howText, saidText, whereText } from './consent-words.ts';

const route = getRouteApi('/themed/signed-in/contacts/$id/consents');

/** The printable proof of what a contact agreed to over one channel, also as a JSON file. */
export function ConsentProofScreen() {
  const { id } = route.useParams();
  const { channel = 'sms' } = route.useSearch();
  const contact = useContact(id);
  const recipient = (channel === 'email' ? contact.data?.email : contact.data?.phone) ?? null;
  const proof = useConsentProof(recipient === null ? null : { channel, recipient });
  const failed = contact.error === null ? proof : contact;
  return (
    <>
      <PageHeader
        title="Proof of consent"
        subtitle={contact.data && displayNameOf(contact.data)}
        above={
          <TextLink to="/contacts/$id" params={{ id }} size="sm" mb={0} className={record.back} data-chrome>
            <IconArrowLeft size={14} aria-hidden /> Back to the contact
          </TextLink>
        }
        actions={
          <Group gap={8} data-chrome>
            <Button
              variant="default"
              leftSection={<IconBraces size={16} aria-hidden />}
              disabled={proof.data === undefined}
              onClick={() => save(proof.data)}
            >
              Save as JSON
            </Button>
            <Button
              leftSection={<IconPrinter size={16} aria-hidden />}
              disabled={proof.data === undefined}
              onClick={() => window.print()}
            >
              Print
            </Button>
          </Group>
        }
      />
      <Group gap={16} mb={12} data-chrome>
        {(['sms', 'whatsapp', 'email'] as const)
          .filter((one) => one !== channel)
          .map((one) => (
            <TextLink key={one} to="/contacts/$id/consents" params={{ id }} search={{ channel: one }} size="sm">
              Proof for {channelLooks[one].name}
            </TextLink>
          ))}
      </Group>
      {proof.data !== undefined ? (
        <Proof of={proof.data} />
      ) : failed.error !== null ? (
        <ErrorState title="Error loading the proof" of={failed} />
      ) : contact.data !== undefined && recipient === null ? (
        <p>This contact has no {channel === 'email' ? 'email address' : 'number'}.</p>
      ) : (
        <div role="status" aria-label="Loading the proof">
          <SectionSkeleton rows={8} />
        </div>
      )}
    </>
  );
}

const save = (proof: ConsentProof | undefined) =>
  proof !== undefined &&
  saveFile(
    `consent-${proof.channel}-${proof.recipient.replaceAll(/[^\w@.+-]/g, '_')}.json`,
    new Blob([JSON.stringify(proof, null, 2)], { type: 'application/json' }),
  );

function Proof({
  of: { sender, channel, recipient, read_at: readAt, words, standing, suppressions, is_complete: isComplete },
}: {
  of: ConsentProof;
}) {
  const counting = words.filter(({ id }) => standing.includes(id));
  return (
    <article className={report.report}>
      <dl className={report.facts}>
        <Fact name="Sender">{sender}</Fact>
        <Fact name={channel === 'email' ? 'Address' : 'Number'}>{recipient}</Fact>
        <Fact name="Channel">{channelLooks[channel].name}</Fact>
        <Fact name="Now">{counting.length === 0 ? 'No consent is on record' : counting.map(saidText).join('; ')}</Fact>
        <Fact name="Suppression list">
          {suppressions.length === 0
            ? 'Not on it'
            : suppressions.map((entry) => `Gets no ${messagesOf(entry)}`).join('; ')}
        </Fact>
        <Fact name="As of">{timeText(readAt)}</Fact>
      </dl>
      <table className={report.table}>
        <caption>
          What was said, newest first. Times in {viewerZone()}.
          {!isComplete && ' There is more: this has the latest thousand.'}
        </caption>
        <thead>
          <tr>
            <th>Said at</th>
            <th>What</th>
            <th>How, and by whom</th>
            <th>What they agreed to</th>
          </tr>
        </thead>
        <tbody>
          {words.map((word) => (
            <Row key={word.id} of={word} />
          ))}
        </tbody>
      </table>
      {words.length === 0 && <p>They have said nothing about being written to.</p>}
    </article>
  );
}

function Row({ of }: { of: Consent }) {
  const where = whereText(of);
  const { file, line, attestation, provider, message_id: messageId } = of.source;
  const from = [
    where !== '' && `From ${where}`,
    file !== undefined && `File ${file}`,
    line !== undefined && `Line ${line}`,
    attestation,
    provider !== undefined && `${provider}${messageId === undefined ? '' : ` ${messageId}`}`,
  ].filter((part) => typeof part === 'string');
  return (
    <tr>
      <td>
        {timeText(of.said_at)}
        <div>Written down {timeText(of.created_at)}</div>
      </td>
      <td>{saidText(of)}</td>
      <td>
        {howText(of)}
        {from.map((part) => (
          <div key={part}>{part}</div>
        ))}
      </td>
      <td>{of.text ?? '–'}</td>
    </tr>
  );
}

const timeText = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: viewerZone() });
