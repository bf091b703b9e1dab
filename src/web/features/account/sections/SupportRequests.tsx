import { Anchor } from '@mantine/core';
import { type OwnSupportRequest, supportCategoryNames } from '#contract/support.ts';
import { useOwnSupportRequests } from '#web/api/support.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';

/** What the person asked support, with its number, its state and the answers. */
export const SupportRequests = () => (
  <RecordSection title="Support requests" aside={<Anchor href="/support">Ask support</Anchor>}>
    <Loaded of={useOwnSupportRequests()} failed="Error loading your support requests">
      {(requests) =>
        requests.length === 0 ? (
          <p className={record.quiet}>
            There are none. What was asked from your address is shown once it is confirmed: by the link of a mail to it,
            or by an administrator. Answers come by mail in any case.
          </p>
        ) : (
          <ul aria-label="Support requests">
            {requests.map((request) => (
              <Request key={request.number} request={request} />
            ))}
          </ul>
        )
      }
    </Loaded>
  </RecordSection>
);

const Request = ({ request }: { request: OwnSupportRequest }) => (
  <li className={record.row}>
    <details className={record.earlier}>
      <summary>
        <span className={record.name}>
          {request.number}: {request.subject}
        </span>{' '}
        <State request={request} />
        <span className={record.note}>
          {' '}
          {supportCategoryNames[request.category]}, <InstantText at={request.created_at} />
        </span>
      </summary>
      <p className={prose.written}>{request.message}</p>
      {request.answers.map(({ message, created_at: at }) => (
        <div key={at}>
          <p className={record.note}>
            Answered <InstantText at={at} />
          </p>
          <p className={prose.written}>{message}</p>
        </div>
      ))}
    </details>
  </li>
);

function State({ request: { answers, closed_at: closed } }: { request: OwnSupportRequest }) {
  if (closed !== null) return <ToneBadge word="Closed" tone="quiet" />;
  return answers.length > 0 ? <ToneBadge word="Answered" tone="good" /> : <ToneBadge word="Open" tone="waiting" />;
}
