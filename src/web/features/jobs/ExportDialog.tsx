import '@mantine/core/styles/Radio.layer.css';
import { Button, Group, Radio, SimpleGrid, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { deliveriesFileUrl, jobsFileUrl } from '#web/api/jobs.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useJobsSearch } from './jobs-search.ts';
import { DayInput } from '#web/ui/pickers/DayInput.tsx';

type What = 'listed' | 'jobs' | 'deliveries';

/** Downloads the jobs of the list, or all jobs or deliveries of a range of days. */
export default function ExportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const workspaceId = useWorkspaceId();
  const { search, status, time, archived, tests, ...listed } = useJobsSearch();
  const [what, setWhat] = useState<What>('listed');
  const [days, setDays] = useState({ from: listed.from ?? '', to: listed.to ?? '' });
  const range = { from: days.from || undefined, to: days.to || undefined };
  const isReversed = days.from !== '' && days.to !== '' && days.to < days.from;
  const href = {
    listed: jobsFileUrl(workspaceId, { search, status, time, from: listed.from, to: listed.to, archived, tests }),
    jobs: jobsFileUrl(workspaceId, { time: 'dates', ...range, archived: 'with', tests: 'with' }),
    deliveries: deliveriesFileUrl(workspaceId, range),
  }[what];
  return (
    <Dialog title="Export as CSV" opened={opened} onClose={onClose}>
      <Stack gap={16}>
        <Radio.Group
          label="What"
          value={what}
          onChange={(value) => setWhat(whats.find((one) => one === value) ?? what)}
        >
          <Stack gap={8} mt={8}>
            <Radio value="listed" label="The jobs that the list shows" data-autofocus />
            <Radio value="jobs" label="All jobs" description="A line for each job, with archived ones and tests." />
            <Radio
              value="deliveries"
              label="All deliveries"
              description="A line for each recipient and channel, with its result and the provider's answer."
            />
          </Stack>
        </Radio.Group>
        {what !== 'listed' && (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
            <DayInput label="First day" value={days.from} onChange={(from = '') => setDays({ ...days, from })} />
            <DayInput
              label="Last day"
              value={days.to}
              error={isReversed ? 'is before the first day' : undefined}
              onChange={(to = '') => setDays({ ...days, to })}
            />
          </SimpleGrid>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {isReversed ? (
            <Button disabled>Download</Button>
          ) : (
            <Button
              component="a"
              href={href}
              download
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => setTimeout(onClose)}
            >
              Download
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

const whats = ['listed', 'jobs', 'deliveries'] as const;
