import { magicAddresses, magicBounces, magicNumbers, magicSlackChannels } from '#contract/simulated-failures.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import classes from './simulated-failure.module.css';

const groups = [
  { title: 'Phone numbers, for SMS and WhatsApp', recipients: magicNumbers },
  { title: 'Mail addresses', recipients: [...magicAddresses, ...magicBounces] },
  { title: 'Channels of a Slack bot', recipients: magicSlackChannels },
];

/** Recipients whose messages always fail, whether or not a failure is simulated. */
export function MagicRecipients() {
  return (
    <details className={classes.magic}>
      <summary>Recipients that simulate failures</summary>
      {groups.map(({ title, recipients }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {recipients.map(({ recipient, sentence }) => (
              <li key={recipient}>
                <Copyable text={recipient} label={`Copy ${recipient}`} />
                <span>{sentence}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className={classes.sentence}>
        To simulate an HTTP status, add it to a webhook URL of the sandbox, such as <code>/status/503</code>.
      </p>
    </details>
  );
}
