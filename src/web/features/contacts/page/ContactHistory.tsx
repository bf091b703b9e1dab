import { Group, Select } from '@mantine/core';
import { IconFilterOff, IconMailOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ContactDelivery } from '#contract/contact-details.ts';
import { channelTypes, isAddressed } from '#contract/channel-types.ts';
import { useContactDeliveries } from '#web/api/contact-details.ts';
import { DeliveryLine } from '#web/features/jobs/DeliveryLine.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { TextLink } from '#web/ui/links.tsx';
import prose from '#web/ui/prose.module.css';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';

const route = getRouteApi('/themed/signed-in/contacts/$id');
const choices = channelTypes.filter(isAddressed).map((value) => ({ value, label: channelLooks[value].name }));

/** Every delivery to the contact, newest first, each opened to its attempts and its message. */
export function ContactHistory({ id }: { id: string }) {
  const { channel } = route.useSearch();
  const navigate = route.useNavigate();
  const deliveries = useContactDeliveries(id, { channel });
  const choose = (value: string | null) =>
    void navigate({
      search: { channel: channelTypes.find((one) => one === value) },
      replace: true,
      resetScroll: false,
    });
  const hasNone = channel === undefined && deliveries.data?.length === 0;
  return (
    <RecordSection
      title="What they got"
      aside={
        !hasNone && (
          <Select
            size="xs"
            w={150}
            aria-label="Channel"
            placeholder="All channels"
            data={choices}
            value={channel ?? null}
            onChange={choose}
            clearable
            clearButtonProps={{ 'aria-label': 'Show all channels' }}
          />
        )
      }
    >
      <Loaded of={deliveries} failed="Error loading deliveries">
        {(lines) =>
          lines.length > 0 ? (
            <div style={{ opacity: deliveries.isPlaceholderData ? 0.5 : 1 }}>
              <ul className={prose.lineAbove} aria-label="What they got">
                {lines.map((line) => (
                  <DeliveryLine key={line.id} delivery={line} over={null} title={line.job.name}>
                    <Links of={line} />
                  </DeliveryLine>
                ))}
              </ul>
              {deliveries.hasNextPage && <LoadMore of={deliveries}>{lines.length.toLocaleString('en')} shown</LoadMore>}
            </div>
          ) : channel === undefined ? (
            <EmptyState
              icon={IconMailOff}
              title="Nothing yet"
              sentence="Every message to this contact is listed here, with its attempts and its text."
            />
          ) : (
            <EmptyState icon={IconFilterOff} title={`Nothing by ${channelLooks[channel].name}`} />
          )
        }
      </Loaded>
    </RecordSection>
  );
}

function Links({ of: { job_id: job, recipient, job: of } }: { of: ContactDelivery }) {
  return (
    <Group gap="md" mt="sm">
      <TextLink to="/jobs" search={{ job, recipient }} size="sm">
        Open the run
      </TextLink>
      {of.reminder_id !== null && (
        <TextLink to="/reminders/$id" params={{ id: of.reminder_id }} size="sm">
          Open the reminder
        </TextLink>
      )}
    </Group>
  );
}
