import classes from './password.module.css';
import { type Strength, strengthOf } from './strength.ts';

const levels: readonly Strength['level'][] = ['common', 'weak', 'fair', 'strong'];
const words: Record<Strength['level'], string> = { common: 'Very weak', weak: 'Weak', fair: 'Fair', strong: 'Strong' };

/** Four bars and a sentence. */
export default function StrengthMeter({ password, own }: { password: string; own: readonly string[] }) {
  const { level, advice } = strengthOf(password, own);
  const reached = levels.indexOf(level);
  return (
    <>
      <div className={classes.bars} data-tone={tones[level]} aria-hidden>
        {levels.map((each, index) => (
          <span key={each} data-reached={index <= reached || undefined} />
        ))}
      </div>
      <span className={classes.words}>
        <strong>{words[level]}.</strong> {advice}
      </span>
    </>
  );
}

const tones = { common: 'bad', weak: 'bad', fair: 'waiting', strong: 'good' } as const;
