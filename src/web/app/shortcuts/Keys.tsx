import classes from './Keys.module.css';

const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** Keys as printed on a keyboard: `G` then `J`, `Ctrl` with `K`. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {keys.map((key) => (
        <kbd key={key}>{key === 'Mod' ? (isApple ? '⌘' : 'Ctrl') : key}</kbd>
      ))}
    </span>
  );
}
