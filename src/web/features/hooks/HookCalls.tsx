import type { HookCall } from '#contract/events.ts';
import { useHookCalls } from '#web/api/hooks.ts';
import { EffectText } from '#web/features/events/EffectText.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import record from '#web/ui/record.module.css';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';

/** The last calls of a hook, latest first, each with its answer. */
export function HookCalls({ reminderId }: { reminderId: string }) {
  const calls = useHookCalls(reminderId);
  return (
    <Loaded of={calls} failed="Error loading the last calls">
      {(found) =>
        found.length === 0 ? (
          <p className={record.quiet}>
            Nobody has called it yet. The last ten calls are listed here with their answers.
          </p>
        ) : (
          <ul className={record.list} aria-label="Last calls">
            {found.map((call, at) => (
              <Row key={`${call.received_at} ${at}`} call={call} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Row({ call: { received_at: at, status, problem, event } }: { call: HookCall }) {
  return (
    <li className={record.row}>
      <div className={record.line}>
        <span className={record.name}>
          {status} {answerOf(status)}
        </span>
        <span className={record.note}>
          <RelativeTime at={at} />
        </span>
      </div>
      {problem !== null && (
        <span className={record.note} data-tone="bad">
          {problem}
        </span>
      )}
      {event !== null && <EffectText effect={event} />}
    </li>
  );
}

function answerOf(status: number): string {
  if (status === 200) return 'Known already';
  return status < 300 ? 'Accepted' : 'Refused';
}
