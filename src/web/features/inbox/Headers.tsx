import classes from './inbox.module.css';

/** The headers, in monospace. */
export function Headers({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  if (entries.length === 0) return 'No headers.';
  return (
    <dl className={classes.headers}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
