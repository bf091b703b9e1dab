import { Flex, Select } from '@mantine/core';
import { type ReactNode, useDeferredValue } from 'react';
import { analyticsLimits, type DeliveryAnalytics } from '#contract/analytics.ts';
import { channelTypes } from '#contract/channel-types.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { type DayRange, deliveryDaysFileUrl, useDeliveryAnalytics } from '#web/api/analytics.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { ChannelLine } from '#web/features/dashboard/ChannelLine.tsx';
import { DayAxis } from '#web/features/dashboard/DayAxis.tsx';
import { filledDays } from '#web/features/dashboard/filled-days.ts';
import { ExportLink } from '#web/features/jobs/ExportLink.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { durationText } from '#web/ui/duration.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './analytics.module.css';
import { DayTable } from './DayTable.tsx';
import { beginningAt, endingAt, lastDays, presets, rangeOf } from './day-range.ts';
import record from '#web/ui/record.module.css';
import list from '#web/ui/list.module.css';
import { Figures, FiguresSkeleton } from './Figures.tsx';
import { DayInput } from '#web/ui/pickers/DayInput.tsx';

type DeliveriesTabProps = {
  workspace: Workspace;
  /** As the address has them; either may be missing. */
  days: { from?: string | undefined; to?: string | undefined };
  onDays: (range: DayRange) => void;
};

const failed = 'Error loading analytics';

/** What became of the messages of some days: how many, how fast, why they failed, and who got none. */
export function DeliveriesTab({ workspace, days, onDays }: DeliveriesTabProps) {
  const range = rangeOf(days);
  const found = useDeliveryAnalytics(workspace.id, range);
  return (
    <div className={record.column} aria-busy={found.isPending || found.isPlaceholderData}>
      <Range range={range} onDays={onDays}>
        <ExportLink href={deliveryDaysFileUrl(workspace.id, range)} />
      </Range>
      <Loaded of={found} failed={failed} skeleton={<FiguresSkeleton label="Loading" count={6} />}>
        {(data) => <Found of={data} />}
      </Loaded>
    </div>
  );
}

function Range({ range, onDays, children }: { range: DayRange; onDays: (to: DayRange) => void; children: ReactNode }) {
  const preset = presets.find((count) => {
    const { from, to } = lastDays(count);
    return from === range.from && to === range.to;
  });
  return (
    <search className={prose.buttons}>
      <Select
        className={classes.preset}
        aria-label="Days"
        allowDeselect={false}
        data={[
          ...presets.map((count) => ({ value: String(count), label: `Last ${count} days` })),
          ...(preset === undefined ? [{ value: 'own', label: 'Own range' }] : []),
        ]}
        value={preset === undefined ? 'own' : String(preset)}
        onChange={(count) => count !== null && count !== 'own' && onDays(lastDays(Number(count)))}
      />
      <Day word="From" value={range.from} onChange={(from) => onDays(beginningAt(range, from))} />
      <Day word="To" value={range.to} onChange={(to) => onDays(endingAt(range, to))} />
      <Flex align="center" ml="auto">
        {children}
      </Flex>
    </search>
  );
}

type DayProps = { word: string; value: string; onChange: (day: string) => void };

function Day({ word, value, onChange }: DayProps) {
  return (
    <DayInput
      className={classes.day ?? ''}
      aria-label={`${word} day`}
      leftSection={<span className={classes.note}>{word}</span>}
      leftSectionWidth={52}
      value={value}
      onChange={(day) => day !== undefined && onChange(day)}
    />
  );
}

function Found({ of: data }: { of: DeliveryAnalytics }) {
  const { sent, failed: lost, latency } = data;
  const seconds = (value: number | undefined) => (value === undefined ? '–' : durationText(value * 1_000));
  return (
    <>
      <Figures
        label="Deliveries"
        of={[
          { label: 'Sent', value: sent },
          { label: 'Failed', value: lost },
          {
            label: 'People reached',
            value: data.people.reached,
            note: `of ${(data.people.reached + data.people.missed).toLocaleString('en')}, each once in a run`,
          },
          { label: 'Half accepted within', value: seconds(latency?.median), note: 'from when it was due' },
          { label: '95% accepted within', value: seconds(latency?.p95), note: 'from when it was due' },
          { label: '99% accepted within', value: seconds(latency?.p99), note: 'from when it was due' },
        ]}
      />
      <RecordSection title="Deliveries per day and channel">
        <Days of={data} />
      </RecordSection>
      <div className={classes.columns}>
        <RecordSection title="Reasons of failure">
          {data.reasons.length === 0 ? (
            <p className={list.none}>No message failed on these days.</p>
          ) : (
            <ol className={classes.list}>
              {data.reasons.map(({ channel, reason, count }) => (
                <li key={`${channel} ${reason}`}>
                  <span className={classes.name}>{reason}</span>
                  <span className={classes.note}>{channelLooks[channel].name}</span>
                  <span className={classes.count}>{count.toLocaleString('en')}</span>
                </li>
              ))}
            </ol>
          )}
        </RecordSection>
        <RecordSection title="Who got nothing">
          {data.unreached.length === 0 ? (
            <p className={list.none}>
              {data.sent === 0
                ? 'Nobody was written to.'
                : data.are_all_unreached_sought
                  ? 'Everybody got a message, or still waits for one.'
                  : `Of the ${analyticsLimits.candidates.toLocaleString('en')} who missed most, everybody got a message, or still waits for one.`}
            </p>
          ) : (
            <ol className={classes.list}>
              {data.unreached.map(
                ({ channel, recipient, contact_id: contact, name, missed, last_due: last, reason }) => (
                  <li key={`${contact} ${channel} ${recipient}`}>
                    <span className={classes.name}>{name ?? recipient}</span>
                    <span className={classes.note}>
                      {name !== null && `${recipient} · `}
                      {channelLooks[channel].name} · {reason ?? 'No reason was given'} · last due{' '}
                      <InstantText at={last} show="day" />
                    </span>
                    <span className={classes.count}>{missed.toLocaleString('en')} missed</span>
                  </li>
                ),
              )}
            </ol>
          )}
        </RecordSection>
      </div>
      <p className={classes.note}>
        By the day on which a message was due, in your time ({viewerZone()}). Tests do not count.
      </p>
    </>
  );
}

function Days({ of: data }: { of: DeliveryAnalytics }) {
  // Hundreds of rows that nobody sees follow what is seen.
  const rows = useDeferredValue(data.days, []);
  const used = channelTypes.filter((channel) => data.days.some((day) => day.channel === channel));
  if (used.length === 0) return <p className={list.none}>Nothing was due on these days.</p>;
  return (
    <>
      {used.map((channel) => (
        <ChannelLine key={channel} channel={channel} days={filledDays(data.days, { channel, ...data })} />
      ))}
      <DayAxis from={data.from} to={data.to} />
      <DayTable days={rows} />
    </>
  );
}
