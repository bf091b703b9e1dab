import { UnstyledButton } from '@mantine/core';
import { liquidHelp } from './liquid-help.ts';
import classes from './TemplateForm.module.css';

/** Examples of filters and conditions; a click inserts one into the text. */
export function LiquidHelp({ onPick }: { onPick: (text: string) => void }) {
  return (
    <details className={classes.help}>
      <summary>Filters and conditions</summary>
      <ul>
        {liquidHelp.map(({ example, says }) => (
          <li key={example}>
            <UnstyledButton className={classes.example} onClick={() => onPick(example)} title="Insert">
              <code>{example}</code>
            </UnstyledButton>
            <span>{says}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
