import { IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import { type CategoryColor, categoryColors } from '#contract/template-categories.ts';
import classes from './CategoriesDialog.module.css';
import { keepsEscape } from './keeps-escape.ts';

type ColorChoiceProps = { value: CategoryColor; onChange: (color: CategoryColor) => void };

/** The preset colours as radio buttons. */
export function ColorChoice({ value, onChange }: ColorChoiceProps) {
  const name = useId();
  return (
    <fieldset className={classes.colors} role="radiogroup">
      <legend>Colour</legend>
      {categoryColors.map((color) => (
        <label key={color.hex} className={classes.swatch} title={color.name} style={{ background: color.hex }}>
          <input
            type="radio"
            name={name}
            value={color.hex}
            aria-label={color.name}
            {...keepsEscape}
            checked={color.hex === value}
            onChange={() => onChange(color.hex)}
          />
          {color.hex === value && <IconCheck size={18} stroke={3} aria-hidden />}
        </label>
      ))}
    </fieldset>
  );
}
