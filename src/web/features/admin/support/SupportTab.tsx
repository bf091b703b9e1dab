import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  supportCategoryNames,
  supportKeptDays,
  supportLimits,
  supportMailedWithinMinutes,
  type SupportRequest,
  type WholeSupportRequest,
} from '#contract/support.ts';
import { configQuery } from '#web/api/config.ts';
import { useActOnSupportRequest, useSupportRequest, useSupportRequests } from '#web/api/support.ts';
import classes from '#web/features/admin/admin.module.css';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import list from '#web/ui/list.module.css';
import { act } from '#web/ui/act.ts';
import record from '#web/ui/record.module.css';
import prose from '#web/ui/prose.module.css';
import { useSubmit } from '#web/ui/use-submit.ts';

const kinds = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
] as const;

/** What people asked support, to be answered and closed. */
export default function SupportTab() {
  const { change, ...search } = useAdminSearch();
  const { status = 'open' } = search;
  const found = useSupportRequests(status);
  const email = useQuery(configQuery).data?.support_email;
  return (
    <div className={record.column}>
      <p className={list.note}>
        Requests of the form at /support are kept for {supportKeptDays} days.{' '}
        {email === null && 'SUPPORT_EMAIL is not set: they are mailed to nobody.'}
        {email && `They are mailed to ${email} too.`}
      </p>
      <div>
        <SegmentedControl
          aria-label="Which requests"
          data={[...kinds]}
          value={status}
          onChange={(chosen) => change({ status: chosen === 'closed' ? 'closed' : undefined })}
        />
      </div>
      <List
        noun="support requests"
        of={found}
        empty={{
          icon: IconLifebuoy,
          title: status === 'open' ? 'No request is open' : 'No request was closed',
          sentence: status === 'open' ? 'What people ask at /support appears here.' : undefined,
        }}
        extent={({ length }) => `${length.toLocaleString('en')} shown`}
        columns={[
          {
            title: 'Request',
            cell: (request) => (
              <span className={list.cell}>
                <span className={list.name}>
                  {request.number}: {request.subject}
                </span>
                <span className={list.note}>
                  {request.email}, {supportCategoryNames[request.category]}
                  {email && <Unmailed request={request} to={email} />}
                </span>
              </span>
            ),
          },
          { title: 'State', width: 'min(220px, 20vw)', cell: (request) => <State request={request} /> },
          { title: 'Asked', width: 210, cell: ({ created_at: at }) => <InstantText at={at} /> },
          {
            title: 'Answer',
            width: 'min(260px, 18.1vw)',
            narrow: 'line',
            cell: ({ id, subject }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Open ${subject}`}
                onClick={() => change({ request: id })}
              >
                Open
              </Button>
            ),
          },
        ]}
      />
      {search.request !== undefined && (
        <SupportRequestDialog key={search.request} id={search.request} onClose={() => change({ request: undefined })} />
      )}
    </div>
  );
}

/** What no mail server has accepted is answered here alone. */
function Unmailed({ request, to }: { request: SupportRequest; to: string }) {
  const minutes = (useNow(60_000).getTime() - Date.parse(request.created_at)) / 60_000;
  return request.mailed_at === null && minutes > supportMailedWithinMinutes ? `, not mailed to ${to}` : null;
}

function State({ request }: { request: SupportRequest }) {
  if (request.closed_at !== null) return <ToneBadge word="Closed" tone="quiet" />;
  if (request.answered_at !== null) return <ToneBadge word="Answered" tone="good" />;
  return <ToneBadge word="New" tone="waiting" />;
}

type DialogProps = { id: string; onClose: () => void };

/** One request: what was asked and answered, and the answer that is being written. */
function SupportRequestDialog({ id, onClose }: DialogProps) {
  const found = useSupportRequest(id);
  const [answer, setAnswer] = useState('');
  return (
    <FormDialog
      title={found.data?.subject ?? 'Support request'}
      opened
      width={640}
      isDirty={() => answer.trim() !== ''}
      onClose={onClose}
    >
      {(leave) => (
        <Loaded of={found} failed="Error loading the support request">
          {(request) => <Request request={request} {...{ answer, setAnswer, leave, onClose }} />}
        </Loaded>
      )}
    </FormDialog>
  );
}

type RequestProps = {
  request: WholeSupportRequest;
  answer: string;
  setAnswer: (text: string) => void;
  leave: () => void;
  onClose: () => void;
};

function Request({ request, answer, setAnswer, leave, onClose }: RequestProps) {
  const change = useActOnSupportRequest(request.id);
  const [closes, setCloses] = useState(true);
  const isClosed = request.closed_at !== null;
  const submit = useSubmit(async () => {
    const isSent = await act(change.mutateAsync({ to: 'answer', message: answer, closes }), {
      done: ['Answer sent', `Mailed to ${request.email}.`],
      failed: 'Error sending the answer',
    });
    if (!isSent) return;
    setAnswer('');
    if (closes) onClose();
  });
  const setClosed = () =>
    act(change.mutateAsync({ to: isClosed ? 'reopen' : 'close' }), {
      done: isClosed ? 'Request opened again' : 'Request closed',
      failed: 'Error updating the request',
    });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <div className={classes.supportSaid}>
          <Text mb={8} fz={13} c="dimmed" className={prose.breaks}>
            {request.email}, {supportCategoryNames[request.category]}, <InstantText at={request.created_at} />
          </Text>
          <Text className={prose.written}>{request.message}</Text>
        </div>
        {request.answers.map(({ id, author, message, created_at: at }) => (
          <div key={id} className={classes.supportSaid} data-answer>
            <Text mb={8} fz={13} c="dimmed" className={prose.breaks}>
              Answered by {author}, <InstantText at={at} />
            </Text>
            <Text className={prose.written}>{message}</Text>
          </div>
        ))}
        {!isClosed && (
          <>
            <Textarea
              label="Answer"
              description={`Mailed to ${request.email}, with what was asked below it.`}
              autosize
              minRows={4}
              maxRows={12}
              maxLength={supportLimits.answer}
              value={answer}
              onChange={(event) => setAnswer(event.currentTarget.value)}
            />
            <Checkbox
              label="Close the request"
              checked={closes}
              onChange={(event) => setCloses(event.currentTarget.checked)}
            />
          </>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={leave}>
            Cancel
          </Button>
          <Button
            variant="default"
            loading={change.isPending && change.variables.to !== 'answer'}
            onClick={() => void setClosed()}
          >
            {isClosed ? 'Open again' : 'Close without an answer'}
          </Button>
          {!isClosed && (
            <Button
              type="submit"
              disabled={answer.trim() === ''}
              loading={change.isPending && change.variables.to === 'answer'}
            >
              Send answer
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
