import { Select } from '@mantine/core';
import { dayMs } from '#domain/instants.ts';

const lives = { '30': '30 days', '90': '90 days', '365': 'A year', never: 'Never' } as const;
export type KeyLife = keyof typeof lives;

const choices = Object.entries(lives).map(([value, label]) => ({ value, label }));

const isLife = (value: string | null): value is KeyLife => value !== null && value in lives;

/** When a new key ends; null for never. */
export const endAfter = (life: KeyLife): string | null =>
  life === 'never' ? null : new Date(Date.now() + Number(life) * dayMs).toISOString();

type ExpirySelectProps = { label?: string; value: KeyLife; onChange: (life: KeyLife) => void };

export const ExpirySelect = ({ label = 'Expires after', value, onChange }: ExpirySelectProps) => (
  <Select
    label={label}
    description={value === 'never' ? 'Works until somebody revokes it.' : undefined}
    data={choices}
    allowDeselect={false}
    value={value}
    onChange={(chosen) => isLife(chosen) && onChange(chosen)}
  />
);
