import classes from './Bars.module.css';

type Bar = { key: string /** In words, shown on hover. */; title: string; good: number; bad: number };

type BarsProps = {
  /** The figure in a sentence: its bars are one image. */
  label: string;
  bars: readonly Bar[];
  className?: string | undefined;
};

/** One bar for each part of a time, scaled to the highest; what is bad is stacked on what is good. */
export function Bars({ label, bars, className }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad));
  const share = (count: number) => `${(count / most) * 100}%`;
  return (
    <div className={`${classes.bars} ${className ?? ''}`} role="img" aria-label={label}>
      {bars.map(({ key, title, good, bad }) => (
        <span key={key} className={classes.bar} title={title}>
          {bad > 0 && <span className={classes.bad} style={{ height: share(bad) }} />}
          {good > 0 && <span className={classes.good} style={{ height: share(good) }} />}
        </span>
      ))}
    </div>
  );
}
