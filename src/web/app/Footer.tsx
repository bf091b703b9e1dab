import classes from './Footer.module.css';

export function Footer() {
  return (
    <footer className={classes.footer}>
      <p>© {new Date().getFullYear()} Cuebird. All rights reserved.</p>
    </footer>
  );
}
