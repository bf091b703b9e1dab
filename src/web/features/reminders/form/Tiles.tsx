import { Input, UnstyledButton } from '@mantine/core';
import { IconCheck, type IconProps } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useId } from 'react';
import prose from '#web/ui/prose.module.css';
import classes from './Tiles.module.css';

type Tile<T> = { value: T; name: string; hint: string; icon: ComponentType<IconProps> };

type TilesProps<T> = {
  /** `one`: radio buttons. `many`: each tile toggles by itself. */
  kind: 'one' | 'many';
  label: string;
  isRequired?: boolean;
  tiles: readonly Tile<T>[];
  chosen: readonly T[];
  error?: ReactNode;
  onChoose: (value: T) => void;
};

/** Large selectable tiles with icon and hint. */
export function Tiles<T extends string>({ kind, label, isRequired, tiles, chosen, error, onChoose }: TilesProps<T>) {
  const id = useId();
  return (
    <fieldset
      className={classes.group}
      data-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <Input.Label component="legend" required={isRequired}>
        {label}
      </Input.Label>
      <div className={classes.tiles} data-kind={kind}>
        {tiles.map(({ value, name, hint, icon: Icon }) => (
          <UnstyledButton
            key={value}
            type="button"
            className={classes.tile}
            aria-pressed={chosen.includes(value)}
            onClick={() => onChoose(value)}
          >
            <Icon className={classes.icon} size={20} stroke={1.6} aria-hidden />
            <span className={prose.lines}>
              <span className={prose.strong}>{name}</span>
              <span className={classes.hint}>{hint}</span>
            </span>
            <IconCheck className={classes.check} size={16} stroke={2.2} aria-hidden />
          </UnstyledButton>
        ))}
      </div>
      {error && (
        <Input.Error id={`${id}-error`} mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  );
}
