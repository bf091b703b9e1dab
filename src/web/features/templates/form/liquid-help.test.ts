import { expect, it } from 'vitest';
import { budgetOf } from '#domain/liquid.ts';
import { render } from '#domain/template.ts';
import { liquidHelp } from './liquid-help.ts';

const values = { name: 'dana', note: 'x'.repeat(50), amount: '100', due_date: '2026-12-01', plan: 'basic' };

const results = ['dana', 'Dana', 'DANA', `${'x'.repeat(37)}...`, '119', '01 Dec 2026', 'Amount: 100', '…'];

it.each(liquidHelp.map((help, at) => ({ ...help, text: results[at] })))('$example: $says', ({ example, text }) => {
  // Time enough on a busy machine.
  expect(render(example, values, { budget: budgetOf(60_000) })).toEqual({ kind: 'rendered', text });
});
