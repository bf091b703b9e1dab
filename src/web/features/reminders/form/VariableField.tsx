import { Combobox, useCombobox } from '@mantine/core';
import { type ReactElement, type SyntheticEvent, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { quickVariables } from '#contract/reminders.ts';
import { useReminderFormContext } from './form-context.ts';
import { completed, distinctNames, namesLike, openedAt } from './variable-names.ts';
import { useVariablesOfPeople } from './variables-of-people.ts';

type VariableFieldProps = {
  value: string;
  onType: (text: string) => void;
  /** The text input. */
  children: ReactElement;
};

const offered = 100;

/** A text field that offers the names of variables while `{{` is typed: arrow keys highlight one, Enter inserts it, Esc closes the list. */
export function VariableField({ value, onType, children }: VariableFieldProps) {
  const form = useReminderFormContext();
  const own = useVariablesOfPeople();
  const anchor = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  /** Where the placeholder begins whose list was closed. */
  const [dismissed, dismiss] = useState<number | null>(null);
  const opened = cursor === null ? null : openedAt(value, cursor);
  const names = distinctNames([...form.values.content.variables, ...quickVariables, ...own]);
  const found = opened === null ? [] : namesLike(names, { typed: opened.typed, limit: offered });
  const isOpen = opened !== null && found.length > 0 && dismissed !== opened.from;
  const combobox = useCombobox({
    opened: isOpen,
    onOpenedChange: (open) => dismiss(open ? null : (opened?.from ?? null)),
    onDropdownClose: () => combobox.resetSelectedOption(),
  });

  // The first name is highlighted, so that Enter inserts it.
  const listed = isOpen ? found.join(' ') : '';
  const highlightFirst = useEffectEvent(() => combobox.selectFirstOption());
  useLayoutEffect(() => {
    if (listed !== '') highlightFirst();
  }, [listed]);

  // The field has its new text only after React has rendered it.
  const next = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (next.current === null) return;
    anchor.current?.querySelector<HTMLInputElement>('input, textarea')?.setSelectionRange(next.current, next.current);
    next.current = null;
  });

  // Typing opens the list; a click into a finished placeholder does not.
  const follow = ({ target, type }: SyntheticEvent) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    if (type !== 'change' && cursor === null) return;
    const { value: text, selectionStart, selectionEnd } = target;
    const at = selectionStart === selectionEnd ? selectionStart : null;
    setCursor(at);
    if (at === null || openedAt(text, at)?.from !== dismissed) dismiss(null);
  };
  const insert = (name: string) => {
    if (opened === null || cursor === null) return;
    const after = completed(value, { from: opened.from, cursor, name });
    onType(after.text);
    next.current = after.cursor;
    setCursor(null);
  };
  return (
    <div ref={anchor} onChange={follow} onSelect={follow} onBlur={() => setCursor(null)}>
      <Combobox store={combobox} onOptionSubmit={insert} position="bottom-start" width={280}>
        <Combobox.Target withKeyboardNavigation={isOpen}>{children}</Combobox.Target>
        <Combobox.Dropdown hidden={!isOpen}>
          <Combobox.Options aria-label="Variables" mah={288} style={{ overflowY: 'auto' }}>
            {found.map((name) => (
              <Combobox.Option key={name} value={name}>
                {name}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}
