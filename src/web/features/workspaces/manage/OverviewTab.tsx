import { SimpleGrid } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { frequencyCapText } from '#domain/frequency-cap.ts';
import { sendingHoursText } from '#domain/sending-hours-text.ts';
import { hoursOf } from '#web/features/channels/hours/hours-draft.ts';
import { CalendarFeeds } from '#web/features/calendar-feeds/CalendarFeeds.tsx';
import { planName, statusWord } from '#web/features/billing/plan-words.ts';
import { Figure } from '#web/features/workspaces/analytics/Figures.tsx';
import { misfireWords } from '#web/features/workspaces/misfire-words.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection, SectionSkeleton } from '#web/ui/Record.tsx';
import { Fact, Facts } from '#web/ui/Facts.tsx';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';
import { consentText, outcomeWords, storedSettings } from './settings-draft.ts';

const CalendarSources = lazy(() => import('#web/features/calendar-sources/CalendarSources.tsx'));

/** What the workspace is; one's own calendar feeds of it, and the calendars that are read for it. */
export function OverviewTab({ workspace }: { workspace: Workspace & { member_count: number } }) {
  return (
    <div className={record.column}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={16}>
        <Figure padding={20} label="Members" value={workspace.member_count} />
        <Figure padding={20} label="Plan" value={planName(workspace.subscription_tier)} />
        <Figure padding={20} label="Status" value={statusWord(workspace.subscription_status)} />
      </SimpleGrid>
      <RecordSection title="Workspace">
        <Facts>
          <Fact name="Name">{workspace.name}</Fact>
          <Fact name="Description">{workspace.description || 'No description'}</Fact>
          <Fact name="Company name">{workspace.company_name}</Fact>
          <Fact name="Created">
            <InstantText at={workspace.created_at} show="day" />
          </Fact>
        </Facts>
      </RecordSection>
      <CalendarFeeds workspaceId={workspace.id} />
      <Suspense fallback={<SectionSkeleton />}>
        <CalendarSources workspaceId={workspace.id} mayChange={workspace.role !== 'member'} />
      </Suspense>
      {workspace.role === 'member' && <SettingsSummary workspace={workspace} />}
    </div>
  );
}

/** Members see the settings and do not change them. */
function SettingsSummary({ workspace }: { workspace: Workspace }) {
  const settings = storedSettings(workspace);
  const hours = hoursOf(workspace.settings);
  const isOn = (value: boolean) => (value ? 'On' : 'Off');
  return (
    <RecordSection title="Settings" aside={<span className={prose.dimParagraph}>Owners and admins change these.</span>}>
      <Facts>
        <Fact name="Allow Public Templates">{isOn(settings.allowPublicTemplates)}</Fact>
        <Fact name="Auto Archive Jobs">{isOn(settings.autoArchiveJobs)}</Fact>
        <Fact name="Delete jobs after days">{settings.retentionDays ?? 'Never'}</Fact>
        <Fact name="Missed occurrences">{misfireWords[settings.misfire]}</Fact>
        <Fact name="Unknown outcomes">{outcomeWords[settings.unknownOutcomes]}</Fact>
        <Fact name="Require consent">{consentText(settings.consentFor)}</Fact>
        <Fact name="Frequency cap">
          {settings.frequencyCap === undefined ? 'None' : frequencyCapText(settings.frequencyCap)}
        </Fact>
        <Fact name="Sending hours">{hours === null ? 'Messages go out at any time.' : sendingHoursText(hours)}</Fact>
      </Facts>
    </RecordSection>
  );
}
