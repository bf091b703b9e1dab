const steps = [
  {
    title: 'Write it in a line',
    text: 'Email the tenants of Elm Street every 1st at 9am that rent is due',
    note: 'Cuebird shows the dates it has understood before you save.',
  },
  {
    title: 'Choose who and how',
    text: 'Group “Elm Street” · 42 people · Email, then SMS',
    note: 'Whoever has no address is named, too.',
  },
  {
    title: 'It goes out on time',
    text: '1 December, 09:00 · 42 messages',
    note: 'Also when a server was restarted a minute before.',
  },
  {
    title: 'See what happened',
    text: '41 delivered · 1 bounced, then sent by SMS',
    note: 'Every attempt, with the answer of the provider.',
  },
];

/** Four steps, one after the other; all of them at once where the system asks for less motion. */
export const Tour = () => (
  <dialog id="tour" className="dialog tour" aria-labelledby="tour-title">
    <div className="dialog-head">
      <h2 id="tour-title">Cuebird in four steps</h2>
      <form method="dialog">
        <button className="button quiet" type="submit" aria-label="Close">
          ×
        </button>
      </form>
    </div>
    <ol className="steps">
      {steps.map(({ title, text, note }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p className="screen">{text}</p>
          <p className="note">{note}</p>
        </li>
      ))}
    </ol>
  </dialog>
);
