import { TextInput, type TextInputProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { numberIn, numberProblem, type NumberRule } from './number-text.ts';

type NumberFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> &
  NumberRule & {
    value?: number | string;
    /** Called with the number, the typed text if it is none, or '' for an empty field. */
    onChange: (value: number | string) => void;
  };

/** A number that is typed. What was typed stays as it is, with what is wrong below it; the arrow keys step by one. */
export function NumberField({ value = '', onChange, isWhole, min, max, error, ...others }: NumberFieldProps) {
  const rule = { isWhole, min, max };
  const [typed, setTyped] = useState<{ text: string; value: number | string } | null>(null);
  const text = typed !== null && isSame(typed.value, value) ? typed.text : textOf(value);
  const problem = numberProblem(text, rule);
  const type = (next: string) => {
    const said = numberIn(next, rule);
    setTyped({ text: next, value: said });
    onChange(said);
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const now = numberIn(text === '' ? String(min ?? 0) : text, rule);
    if (by === undefined || typeof now === 'string') return;
    event.preventDefault();
    const next = text === '' ? now : now + by;
    if (numberProblem(String(next), rule) === null) type(String(next));
  };
  return (
    <TextInput
      autoComplete="off"
      inputMode={isWhole === true ? 'numeric' : 'decimal'}
      {...others}
      value={text}
      error={problem?.kind === 'text' ? problem.sentence : (error ?? problem?.sentence)}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={step}
    />
  );
}

/** Whether the text stands for this value, since a form may compute another one. */
const isSame = (typed: number | string, value: number | string) =>
  typeof typed === 'string' && typed !== '' && Number.isNaN(value) ? true : Object.is(typed, value);

const textOf = (value: number | string) => (Number.isNaN(value) ? '' : String(value));
